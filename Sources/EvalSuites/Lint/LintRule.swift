/// A rule of the guide lint: a rule of thumb for types that a model generates.
public enum LintRule: String, Sendable, Hashable, CaseIterable {
  case missingGuide
  case boundInWordsOnly
  case boundContradiction
  case unboundedArray
  case noFallback
  case noFormat
  case noOutBranch
  case collidingCases
  case vagueWords
  case misspeltKeyword

  /// A description of what the rule finds.
  public var summary: String {
    switch self {
    case .missingGuide: "A property, or a case of an enum, without a guide"
    case .boundInWordsOnly: "A number or a count that the guide bounds and the schema does not"
    case .boundContradiction: "A guide and a schema that state different bounds"
    case .unboundedArray: "An array that neither its guide nor the schema bounds"
    case .noFallback: "A required fact whose guide does not say what to give where it is missing"
    case .noFormat: "A free text whose guide does not say how plain it must be"
    case .noOutBranch: "An enum without a case for input that fits no other"
    case .collidingCases: "Two enums with a case of the same name"
    case .vagueWords: "A guide with words that no answer can be held to"
    case .misspeltKeyword: "An unknown key of a schema that looks like a keyword"
    }
  }

  /// The reason why the finding matters.
  public var reason: String {
    switch self {
    case .missingGuide: "The model then has only the name to go by"
    case .boundInWordsOnly: "The model may ignore words, and no answer can leave a bound"
    case .boundContradiction: "The mask cuts off what the words ask for"
    case .unboundedArray: "Arrays without a bound come back empty, or run to the token limit"
    case .noFallback: "The model invents what the input does not have"
    case .noFormat: "Lists, headings and bold type come back where plain text is shown"
    case .noOutBranch: "The model must choose a wrong case where none is right"
    case .collidingCases: "The cases are told apart by their names, in prompts and in reports"
    case .vagueWords: "What cannot be checked steers little and drifts unnoticed"
    case .misspeltKeyword: "An unknown key is an annotation, so that the constraint is missing"
    }
  }
}

/// A possible improvement to a guide.
public struct LintFinding: Sendable, Hashable {
  /// The rule.
  public var rule: LintRule
  /// The place: `Type.property`, or `Type`.
  public var place: String
  /// A description of the finding.
  public var message: String
}

extension LintFinding: CustomStringConvertible {
  /// The finding on one line: place, finding, reason, rule.
  public var description: String {
    let reason = rule.reason.prefix(1).lowercased() + rule.reason.dropFirst()
    return "\(place): \(message); \(reason) [\(rule.rawValue)]"
  }
}
