/// A path into a JSON value: a subset of JSONPath (RFC 9535).
///
/// Paths are stored with every verdict, so the grammar is versioned and fixed; this is version 1.
///
/// ```
/// path    = [ "$" / "@" ] *segment         ; not empty; "@" in each, any, none, find
/// segment = "." name / ".*" / "[" ( index / "*" / string ) "]"
/// name    = ( letter / "_" / non-ASCII ) *( letter / digit / "_" / non-ASCII )
/// index   = "0" / ( "1".."9" *digit )      ; from zero
/// string  = single- or double-quoted, with JSON's escapes and \'
/// ```
///
/// `$.cards[*].answer` selects the answer of every card, and `$['Prep time']` selects the member
/// named `Prep time`. A wildcard selects all elements of an array or all members of an object.
public struct ValuePath: Sendable, Hashable {
  /// A step from a value to one of its parts.
  public enum Step: Sendable, Hashable {
    /// The object member with the given name.
    case name(String)
    /// The array element at the given index, counted from zero.
    case index(Int)
    /// Every element of an array, or every member of an object.
    case wildcard
  }

  /// The version of the grammar.
  public static let grammarVersion = 1

  /// The path of the whole value: `$`.
  public static let root = ValuePath(steps: [])

  /// The steps from the root.
  public var steps: [Step]

  /// Creates a path from steps.
  public init(steps: [Step]) { self.steps = steps }

  /// Whether the path selects at most one value.
  public var isSingular: Bool { !steps.contains(.wildcard) }

  /// Returns the path with one more step.
  public func appending(_ step: Step) -> ValuePath { ValuePath(steps: steps + [step]) }

  /// Returns this path followed by another path.
  public func appending(_ path: ValuePath) -> ValuePath {
    ValuePath(steps: steps + path.steps)
  }
}

extension ValuePath: CustomStringConvertible {
  /// The canonical text of the path, which parses to the same path.
  public var description: String { "$" + steps.map(\.text).joined() }

  /// The text of the path inside `each`, `any`, `none` and `find`, where it starts with `@`.
  package var relativeDescription: String { "@" + steps.map(\.text).joined() }
}

extension ValuePath.Step {
  /// The step as it is written in a path.
  package var text: String {
    switch self {
    case .name(let name): Self.isPlain(name) ? ".\(name)" : "['\(Self.escaped(name))']"
    case .index(let index): "[\(index)]"
    case .wildcard: "[*]"
    }
  }

  /// Returns whether a name can follow a dot without quotes.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.first, isNameStart(first) else { return false }
    return name.dropFirst().allSatisfy(isNamePart)
  }

  static func isNameStart(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    if scalar.value < 0x80 { return character.isLetter || character == "_" }
    return !character.isWhitespace
  }

  static func isNamePart(_ character: Character) -> Bool {
    isNameStart(character) || (character.isASCII && character.isNumber)
  }

  private static func escaped(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
