import StructuredText

/// The kind of value that a key may have.
package indirect enum KeyKind: Sendable, Hashable {
  /// Text.
  case text
  /// A name made of letters, digits and some signs, for ids and tags.
  case name(NameAlphabet)
  /// A path that starts at the whole value or, inside `each`, at the element.
  case path
  /// A regular expression.
  case pattern
  /// A formula over the value; see ``Expression``.
  case formula
  /// A rule that combines the repeats of a test case into one score.
  case reducer
  /// An integer within bounds.
  case integer(minimum: Int, maximum: Int)
  /// A number within bounds.
  case number(minimum: Double, maximum: Double)
  /// True or false.
  case flag
  /// One of the given words.
  case choice([String])
  /// Any value.
  case value
  /// A list with a minimum number of elements.
  case list(KeyKind, minimum: Int)
  /// A mapping whose keys are defined by a table.
  case table(TableName)
  /// A list or a mapping, depending on what the document contains.
  case either(list: KeyKind, mapping: KeyKind)
  /// A mapping with any keys, whose values are all of one kind.
  case dictionary(KeyKind)
}

extension KeyKind {
  /// Whether the value is a list or a mapping.
  var isCollection: Bool {
    switch self {
    case .list, .table, .either, .dictionary: true
    default: false
    }
  }
}

/// The characters that a name may contain.
package enum NameAlphabet: Sendable, Hashable {
  /// `a`–`z`, `0`–`9` and, after the first character, `-`.
  ///
  /// Commands take suite ids as arguments, and an argument that begins with `-` is an option.
  case lowercase
  /// Letters, digits, `.`, `_` and `-`, all ASCII.
  case identifier

  /// A regular expression that matches the allowed names, for editors.
  var pattern: String {
    switch self {
    case .lowercase: "^[a-z0-9][a-z0-9-]*$"
    case .identifier: "^[a-zA-Z0-9._-]+$"
    }
  }

  /// A description of the allowed characters.
  var words: String {
    switch self {
    case .lowercase: "lower-case letters, digits and, after the first character, hyphens"
    case .identifier: "letters, digits, `.`, `_` and `-`"
    }
  }

  /// The maximum number of characters.
  static let longest = 200

  func allows(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Self.longest && !(self == .lowercase && text.first == "-")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"):
          self == .identifier
        default: false
        }
      }
  }
}

/// One key of a mapping.
package struct KeyRow: Sendable, Hashable {
  /// The key.
  package var name: String
  /// The kind of value that the key may have.
  package var kind: KeyKind
  /// A description of the key's meaning, in one sentence.
  package var summary: String
  /// A description of the default; empty if there is none to describe.
  package var fallback: String
  /// Whether the key is required.
  package var isRequired: Bool

  init(
    _ name: String, _ kind: KeyKind, _ summary: String, fallback: String = "",
    isRequired: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.fallback = fallback
    self.isRequired = isRequired
  }
}

/// A rule on combinations of keys in a mapping.
package enum KeyRule: Sendable, Hashable {
  /// Exactly one of the keys must be present.
  case exactlyOne([String])
  /// At least one of the keys must be present.
  case atLeastOne([String])
  /// At most one of the keys may be present.
  case atMostOne([String])
  /// The number under the first key must not exceed the number under the second key.
  case ordered(String, String)
  /// The listed keys are allowed only together with another key.
  case only([String], with: String)
}

/// The keys of a mapping.
///
/// The loader checks them, the reference describes them, and editors complete them.
package struct KeyTable: Sendable, Hashable {
  /// A name for the mapping in messages, for example `an assertion`.
  package var title: String
  /// The keys, in the order of the reference.
  package var rows: [KeyRow]
  /// The rules on combinations of keys.
  package var rules: [KeyRule]
  /// The kind of value for keys that aren't in ``rows``, or `nil` if other keys aren't allowed.
  package var others: KeyKind?
  /// Unknown keys that people write because another format has them, with the keys that they mean.
  package var meant: [String: String]

  init(
    _ title: String, _ rows: [KeyRow], rules: [KeyRule] = [], others: KeyKind? = nil,
    meant: [String: String] = [:]
  ) {
    self.title = title
    self.rows = rows
    self.rules = rules
    self.others = others
    self.meant = meant
  }

  /// Returns the row with a similar name that takes a mapping or a list, or `nil` if there is none.
  func collectionRow(near name: String) -> KeyRow? {
    rows.first {
      $0.name != name && $0.kind.isCollection && NearestName.distance($0.name, name) <= 1
    }
  }

  /// Returns the row of a key, or `nil` if the table has no such key.
  package func row(_ name: String) -> KeyRow? { rows.first { $0.name == name } }
}
