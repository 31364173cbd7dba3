import StructuredText

extension Expression.Node {
  /// The syntax tree as nested lists, without the positions in the text.
  var canonicalForm: JSONValue {
    func list(_ head: String, _ rest: [JSONValue]) -> JSONValue { .array([.string(head)] + rest) }
    let parts = parts.map(\.canonicalForm)
    return switch self {
    case .literal(let value): list("literal", [value])
    case .list: list("list", parts)
    case .path(let path, let isRelative, _):
      list("path", [.string(isRelative ? path.relativeDescription : path.description)])
    case .variable(let name, _): list("variable", [.string(name)])
    case .not: list("not", parts)
    case .negative: list("negative", parts)
    case .both: list("and", parts)
    case .either: list("or", parts)
    case .comparison(let comparison, _, _, _): list(comparison.rawValue, parts)
    case .arithmetic(let arithmetic, _, _, _): list(arithmetic.rawValue, parts)
    case .call(let function, _, _): list("call", [.string(function.rawValue)] + parts)
    }
  }
}
