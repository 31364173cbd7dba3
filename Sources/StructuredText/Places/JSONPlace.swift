/// A place in a JSON value, such as `$.cards[2].answer`.
///
/// A place with wildcards is a *pattern*, which stands for several places: `$.cards[*].answer` is
/// the answer of every card.
///
/// Suites, stored records, SQL views and reports all write places in the same way, a subset of
/// JSONPath (RFC 9535). Stored runs and baselines depend on this grammar and on the canonical
/// spelling, so neither may change:
///
/// ```
/// place   = [ "$" / "@" ] *step             ; not empty; "@" in each, any, none, find
/// step    = "." name / ".*" / "[" ( index / "*" / string ) "]"
/// name    = start *( start / digit )
/// start   = letter / "_" / any non-ASCII character except white space
/// index   = "0" / ( "1".."9" *digit )       ; from zero
/// string  = single- or double-quoted, with JSON's escapes and \'
/// ```
///
/// In the canonical spelling, a member whose name is a `name` of this grammar follows a dot. Every
/// other name is in single quotes, with `\'`, `\\`, and escaped control characters: `$.größe`,
/// `$['Prep time']`, `$['2nd']`, `$['it\'s']`. Version 0.1 also put every name with non-ASCII
/// characters in quotes, in the places of decisions.
public struct JSONPlace: Sendable, Hashable {
  /// A step from a value to one of its parts.
  public enum Step: Sendable, Hashable {
    /// The object member with the given name.
    case name(String)
    /// The array element at the given index, counted from zero.
    case index(Int)
    /// Every element of an array, or every member of an object.
    case wildcard
  }

  /// The place of the whole value: `$`.
  public static let root = JSONPlace(steps: [])

  /// The steps from the root.
  public var steps: [Step]

  /// Creates a place from steps.
  public init(steps: [Step]) { self.steps = steps }

  /// Whether the place has no wildcards, so that it is the place of at most one value.
  public var isSingular: Bool { !steps.contains(.wildcard) }

  /// The pattern that stands for this place and for the same place in all other elements: each
  /// index becomes a wildcard.
  public var pattern: JSONPlace {
    JSONPlace(
      steps: steps.map { step in
        if case .index = step { .wildcard } else { step }
      })
  }

  /// Returns the place with one more step.
  public func appending(_ step: Step) -> JSONPlace { JSONPlace(steps: steps + [step]) }

  /// Returns whether a pattern stands for this place.
  ///
  /// A wildcard stands for any step; every other step stands only for itself.
  public func matches(_ pattern: JSONPlace) -> Bool {
    steps.count == pattern.steps.count
      && zip(pattern.steps, steps).allSatisfy { $0 == .wildcard || $0 == $1 }
  }
}

extension JSONPlace: CustomStringConvertible {
  /// The canonical spelling, which parses to the same place.
  public var description: String { "$" + steps.map(\.text).joined() }

  /// The spelling inside `each`, `any`, `none` and `find`, where a place starts with `@`.
  package var relativeDescription: String { "@" + steps.map(\.text).joined() }
}

extension JSONPlace.Step {
  /// The canonical spelling of the step.
  package var text: String {
    switch self {
    case .name(let name): Self.isPlain(name) ? ".\(name)" : "['\(Self.escaped(name))']"
    case .index(let index): "[\(index)]"
    case .wildcard: "[*]"
    }
  }

  /// Returns whether a name can follow a dot without quotes.
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isNameStart(first) else { return false }
    return name.unicodeScalars.allSatisfy(isNamePart)
  }

  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: scalar.value >= 0x80 && !scalar.properties.isWhitespace
    }
  }

  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || ("0"..."9").contains(scalar)
  }

  private static func escaped(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'", "\\": result += ["\\", scalar]
      case "\n": result += "\\n".unicodeScalars
      case "\r": result += "\\r".unicodeScalars
      case "\t": result += "\\t".unicodeScalars
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
