import StructuredText

extension Check {
  /// The names of the variables that the check compares with.
  var variables: [String] {
    switch self {
    case .values(_, .variable(let name, _)): [name]
    case .not(let check): check.variables
    case .quantified(_, _, let checks), .combined(_, let checks): checks.flatMap(\.variables)
    case .values, .unique, .sorted, .present, .absent, .attempt: []
    }
  }

  /// The check with the values of a case's variables in place of their names.
  ///
  /// - Parameter variables: The values by name; where one is missing the name stays.
  func resolved(with variables: JSONObject) -> Check {
    switch self {
    case .values(let path, .variable(let name, let rule)):
      guard let value = variables[name] else { return self }
      return .values(path, rule.rule(expecting: value))
    case .not(let check): return .not(check.resolved(with: variables))
    case .quantified(let quantifier, let path, let checks):
      return .quantified(quantifier, path, checks.map { $0.resolved(with: variables) })
    case .combined(let combination, let checks):
      return .combined(combination, checks.map { $0.resolved(with: variables) })
    case .values, .unique, .sorted, .present, .absent, .attempt: return self
    }
  }
}

extension VariableRule {
  /// The rule that expects a value.
  fileprivate func rule(expecting value: JSONValue) -> ValueRule {
    let text = value.string ?? value.compactText
    switch self {
    case .equals(let asNumber):
      if asNumber, value.string != nil, let number = try? JSONValue(parsing: text),
        number.number != nil
      {
        return .equals(number)
      }
      return .equals(value)
    case .branch: return .branch([text])
    case .text(let relation, let ignoringCase):
      return .text(relation, [text], ignoringCase: ignoringCase)
    }
  }
}
