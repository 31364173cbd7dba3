/// The reason why a schema can't be compiled to a grammar.
package struct GrammarError: Error, Sendable, Hashable {
  /// The kind of problem.
  package enum Problem: Sendable, Hashable {
    /// No value is between the bounds; `keyword` is the keyword of the lower bound.
    case unsatisfiable(keyword: String, minimum: String, maximum: String)
    /// An object must have more members than it can have keys.
    case tooFewKeys(minimum: Int, possible: Int)
    /// An enum or a union has no choices.
    case noChoice
    /// A type has no finite value, because every value would contain another value of the type;
    /// carries the names of the types in the cycle.
    case neverEnds([String])
    /// A type is defined as itself, directly or through references and unions; carries the names of
    /// the types in the cycle.
    case selfReference([String])
    /// A reference names a type that is not defined.
    case undefined(String)
    /// Two properties have the same name.
    case duplicateProperty(String)
    /// A pattern can't be compiled, for the given reason.
    case pattern(String, reason: String)
    /// No string satisfies the patterns, length bounds and exclusions together.
    case emptyPattern(String)
    /// Two keywords can't be enforced together.
    case combination(String, String)
    /// An array must have unique elements, but the compiler can't list the possible elements, or
    /// there are more of them than the limit.
    case uniqueElements(limit: Int)
    /// A bound on numbers is not a decimal number.
    case malformedBound(String)
    /// A numeric bound has more digits than the limit when it is written out.
    case longBound(String, maximum: Int)
    /// The value of `multipleOf` has more digits after its point than the limit.
    case longMultiple(String, maximum: Int)
    /// An automaton for the multiples of a number needs more states than the limit.
    case multiples(of: String, maximum: Int)
    /// The schema exceeds a limit.
    case limit(what: String, value: Int, maximum: Int)
  }

  /// The path in the value: `$.cards[*].answer`.
  package var path: String
  /// The problem at that path.
  package var problem: Problem
}

extension GrammarError: CustomStringConvertible {
  /// The path and the problem in one line.
  package var description: String { "\(path): \(problem)" }
}

extension GrammarError.Problem: CustomStringConvertible {
  /// A description of the problem for error messages.
  package var description: String {
    switch self {
    case .unsatisfiable(let keyword, let minimum, let maximum):
      "no value is left between \(keyword) \(minimum) and "
        + "\(keyword.replacingPrefix("min", by: "max")) \(maximum)"
    case .tooFewKeys(let minimum, let possible):
      "minProperties is \(minimum), but "
        + (possible == 1 ? "only 1 key is possible" : "only \(possible) keys are possible")
    case .noChoice: "no choice is left"
    case .neverEnds(let names): "can never be finished: \(names.joined(separator: " → "))"
    case .selfReference(let names):
      "refers to itself with no object or array in between: \(names.joined(separator: " → "))"
    case .undefined(let name): "there is no type \"\(name)\""
    case .duplicateProperty(let name): "two properties are called \"\(name)\""
    case .pattern(let pattern, let reason): "pattern \"\(pattern.shortened)\": \(reason)"
    case .emptyPattern(let pattern):
      "no string that the other keywords allow matches the pattern \"\(pattern.shortened)\""
    case .combination(let first, let second):
      "\(first) together with \(second) is not supported"
    case .uniqueElements(let limit):
      "uniqueItems is enforced only if there are at most \(limit) possible elements, all of them "
        + "constants (enum, const, boolean, null)"
    case .malformedBound(let text): "\"\(text.shortened)\" is not a decimal number"
    case .longBound(let text, let maximum):
      "the bound \(text.shortened) has more digits than the limit of \(maximum)"
    case .longMultiple(let number, let maximum):
      "`multipleOf` \(number.shortened) has more digits after its point than the limit of "
        + "\(maximum)"
    case .multiples(let number, let maximum):
      "`multipleOf` \(number.shortened) needs more states than the limit of \(maximum)"
    case .limit(let what, let value, let maximum):
      "\(what): \(value) is more than the limit of \(maximum)"
    }
  }
}

extension String {
  /// The text, or its first 80 characters and an ellipsis if it is longer.
  fileprivate var shortened: String {
    let head = prefix(80)
    return head.endIndex == endIndex ? self : head + "…"
  }

  fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
