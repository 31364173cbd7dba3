/// What may stand under a key.
package indirect enum KeyKind: Sendable, Hashable {
  /// A text.
  case text
  /// A text of letters, digits and some signs, as ids and tags are.
  case name(NameAlphabet)
  /// A path into the value; inside `each` it begins at the element.
  case path
  /// A regular expression.
  case pattern
  /// A formula over the value, see ``Expression``.
  case formula
  /// How the repeats of a case make one score.
  case reducer
  /// An integer within bounds.
  case integer(minimum: Int, maximum: Int)
  /// A number within bounds.
  case number(minimum: Double, maximum: Double)
  /// True or false.
  case flag
  /// One of some words.
  case choice([String])
  /// Any value.
  case value
  /// A list, of at least so many elements.
  case list(KeyKind, minimum: Int)
  /// A mapping whose keys a table states.
  case table(TableName)
  /// A list or a mapping, told apart by what stands there.
  case either(list: KeyKind, mapping: KeyKind)
  /// A mapping whose keys are free.
  case dictionary(KeyKind)
}

/// The letters of a name.
package enum NameAlphabet: Sendable, Hashable {
  /// `a`–`z`, `0`–`9` and `-`.
  case lowercase
  /// Letters, digits, `.`, `_` and `-`, all ASCII.
  case identifier

  /// A regular expression of the names, for editors.
  var pattern: String {
    switch self {
    case .lowercase: "^[a-z0-9-]+$"
    case .identifier: "^[a-zA-Z0-9._-]+$"
    }
  }

  /// The letters in words.
  var words: String {
    switch self {
    case .lowercase: "lower-case letters, digits and hyphens"
    case .identifier: "letters, digits, `.`, `_` and `-`"
    }
  }

  func allows(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200
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
  /// What may stand under it.
  package var kind: KeyKind
  /// What it means, in one sentence.
  package var summary: String
  /// What holds where it is missing, in words; empty if nothing is to be said.
  package var fallback: String
  /// Whether it must be there.
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

/// A rule on the keys of a mapping taken together.
package enum KeyRule: Sendable, Hashable {
  /// Exactly one of the keys is there.
  case exactlyOne([String])
  /// At least one of the keys is there.
  case atLeastOne([String])
  /// At most one of the keys is there.
  case atMostOne([String])
  /// The number under the first key is not greater than that under the second.
  case ordered(String, String)
}

/// The keys of a mapping: what the loader checks, the reference documents, and editors complete.
package struct KeyTable: Sendable, Hashable {
  /// What the mapping is, for example `an assertion`.
  package var title: String
  /// The keys, in the order of the reference.
  package var rows: [KeyRow]
  /// The rules on the keys taken together.
  package var rules: [KeyRule]
  /// What may stand under keys that no row names; nil if there are no such keys.
  package var others: KeyKind?

  init(_ title: String, _ rows: [KeyRow], rules: [KeyRule] = [], others: KeyKind? = nil) {
    self.title = title
    self.rows = rows
    self.rules = rules
    self.others = others
  }

  /// The row of a key, or nil if there is none.
  package func row(_ name: String) -> KeyRow? { rows.first { $0.name == name } }
}
