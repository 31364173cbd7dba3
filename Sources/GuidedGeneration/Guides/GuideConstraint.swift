import StructuredText

/// A constraint from a guide, independent of Swift types.
indirect enum GuideConstraint: Sendable, Hashable {
  case choices([String])
  case pattern(String)
  case minimum(JSONNumber)
  case maximum(JSONNumber)
  case minimumCount(Int)
  case maximumCount(Int)
  case element([GuideConstraint])

  /// Creates a constraint that requires a string to match a regular expression.
  ///
  /// The expression may be a literal or built at run time. If it can't be written as text, a
  /// request that uses it throws an error.
  init<Output>(matching regex: Regex<Output>) {
    self = .pattern(PatternText.pattern(of: regex))
  }
}

extension SchemaNode {
  /// Returns a copy of the node with additional constraints.
  ///
  /// A new bound never loosens an existing one. An array applies every constraint except counts to
  /// its elements. Apart from that, a node ignores constraints that don't apply to its type.
  func constrained(by constraints: [GuideConstraint]) -> SchemaNode {
    constraints.reduce(self) { $0.constrained(by: $1) }
  }

  private func constrained(by constraint: GuideConstraint) -> SchemaNode {
    switch self {
    case .string(var string):
      switch constraint {
      case .choices(let choices):
        string.choices = string.choices.map { $0.filter(choices.contains) } ?? choices
      case .pattern(let pattern):
        if string.pattern == nil {
          string.pattern = pattern
        } else if !string.patterns.contains(pattern) {
          string.otherPatterns.append(pattern)
        }
      default: break
      }
      return .string(string)
    case .integer(var integer):
      switch constraint {
      case .minimum(let bound):
        if let bound = bound.int { integer.minimum = max(bound, integer.minimum ?? bound) }
      case .maximum(let bound):
        if let bound = bound.int { integer.maximum = min(bound, integer.maximum ?? bound) }
      default: break
      }
      return .integer(integer)
    case .number(var number):
      switch constraint {
      case .minimum(let bound):
        if bound.double >= number.minimum?.double ?? -.infinity { number.minimum = bound }
      case .maximum(let bound):
        if bound.double <= number.maximum?.double ?? .infinity { number.maximum = bound }
      default: break
      }
      return .number(number)
    case .array(var array):
      switch constraint {
      case .minimumCount(let count): array.minimumCount = max(0, count, array.minimumCount ?? 0)
      case .maximumCount(let count):
        array.maximumCount = max(0, min(count, array.maximumCount ?? count))
      case .element(let constraints): array.element = array.element.constrained(by: constraints)
      default: array.element = array.element.constrained(by: constraint)
      }
      return .array(array)
    default: return self
    }
  }
}
