import StructuredText

/// Finds an `if` in a schema that is about an undeclared property, so that it never decides
/// anything.
enum ConditionCheck {
  /// A condition with its place.
  struct Found {
    var location: SourceLocation
    /// What is wrong, as a sentence without its full stop.
    var problem: String
    /// The property that is probably meant, as a question, or an empty string.
    var hint: String
  }

  /// Returns the conditions about undeclared properties, in document order.
  ///
  /// A schema that is put together from several parts may declare a property in another part, so
  /// the check only looks at objects that stand alone.
  static func findings(in node: SourceNode) -> [Found] {
    let own = condition(of: node).map { [$0] } ?? []
    return own + children(of: node).flatMap(findings)
  }

  private static func children(of node: SourceNode) -> [SourceNode] {
    switch node.content {
    case .scalar: []
    case .sequence(let nodes): nodes
    case .mapping(let members): members.map(\.node)
    }
  }

  private static func condition(of node: SourceNode) -> Found? {
    let combining = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties"]
    guard let member = node.members.first(where: { $0.key == "if" }),
      let properties = node["properties"], !properties.members.isEmpty,
      combining.allSatisfy({ node[$0] == nil && member.node[$0] == nil })
    else { return nil }
    if let others = node["additionalProperties"], others.value != .bool(false) { return nil }
    let declared = properties.members.map(\.key)
    let tested = member.node["properties"]?.members.map(\.key) ?? []
    let required = member.node.texts("required")
    guard let name = (tested + required).first(where: { !declared.contains($0) }) else {
      return nil
    }
    let outcome =
      required.contains(name)
      ? "never holds, and `then` never applies" : "always holds, and `then` always applies"
    let near = NearestName.nearest(to: name, among: declared)
    return Found(
      location: member.keyLocation,
      problem: "this `if` is about `\(name)`, which the object doesn't declare, so it \(outcome)",
      hint: near.map { "did you mean `\($0)`?" } ?? "")
  }
}
