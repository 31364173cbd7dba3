/// A lint rule: a rule of thumb for the types that a model generates.
public enum LintRule: String, Sendable, Hashable, CaseIterable {
  case missingGuide
  case boundInWordsOnly
  case boundContradiction
  case unboundedArray
  case unboundedNumber
  case noFallback
  case noFormat
  case noOutBranch
  case collidingCases
  case vagueWords
  case misspeltKeyword
  case missingType
  case impossiblePart
  case fixedLayout

  /// A description of what the rule finds.
  public var summary: String {
    switch self {
    case .missingGuide: "A property, or a case of an enum, without a guide"
    case .boundInWordsOnly:
      "A number or a count that has a bound in the guide, but not in the schema"
    case .boundContradiction: "A guide and a schema that state different bounds"
    case .unboundedArray: "An array that has no bound in its guide and none in the schema"
    case .unboundedNumber: "A number that has no bound in its guide and none in the schema"
    case .noFallback:
      "A required property whose guide doesn't say what to answer if the input lacks the fact"
    case .noFormat: "A free-text property whose guide doesn't say which formatting is allowed"
    case .noOutBranch: "An enum without a fallback case for inputs that fit none of its cases"
    case .collidingCases: "Two enums that have a case with the same name"
    case .vagueWords: "A guide with vague words that can't be checked"
    case .misspeltKeyword: "An unknown schema key that is probably a misspelled keyword"
    case .missingType: "A schema with keywords for one type, but without `type`"
    case .impossiblePart: "A part of the schema that no value meets, in a place that may be absent"
    case .fixedLayout: "An array or enum in a suite that doesn't let the model choose white space"
    }
  }

  /// The reason why a finding matters.
  public var reason: String {
    switch self {
    case .missingGuide: "Without a guide, the model knows only the name"
    case .boundInWordsOnly: "A model may ignore words, but it can't ignore a bound in the schema"
    case .boundContradiction: "The mask forbids what the words ask for"
    case .unboundedArray: "Arrays without a bound may be empty, or run into the token limit"
    case .unboundedNumber: "A model may go on writing digits up to the token limit"
    case .noFallback: "The model invents facts that the input doesn't contain"
    case .noFormat:
      "The answer may contain lists, headings and bold type although the app shows plain text"
    case .noOutBranch: "If no case is right, the model has to choose a wrong one"
    case .collidingCases: "Prompts and reports identify enum cases only by their names"
    case .vagueWords: "Vague words have little effect, and nobody notices if they stop working"
    case .misspeltKeyword: "Assay ignores an unknown key, so the schema lacks the constraint"
    case .missingType: "The keywords limit only values of that type, and allow all other values"
    case .impossiblePart: "The model can never write the property or alternative with this part"
    case .fixedLayout:
      "If the layout is fixed and the model prefers a different one, the layout may decide where "
        + "an array ends, or which enum case the model chooses"
    }
  }
}

/// A possible improvement to a schema or its guides.
public struct LintFinding: Sendable, Hashable {
  /// The rule.
  public var rule: LintRule
  /// The place: `Type.property`, `Type` or, for `misspeltKeyword`, `missingType` and
  /// `impossiblePart`, a JSON pointer.
  public var place: String
  /// A description of the finding.
  public var message: String
}

extension LintFinding: CustomStringConvertible {
  /// The finding on one line: place, message, reason and rule.
  public var description: String {
    let reason = rule.reason.prefix(1).lowercased() + rule.reason.dropFirst()
    return "\(place): \(message); \(reason) [\(rule.rawValue)]"
  }
}
