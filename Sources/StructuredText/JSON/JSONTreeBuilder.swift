/// Builds the JSON parser's result: either plain values, or nodes with positions.
protocol JSONTreeBuilder {
  associatedtype Node
  associatedtype Member

  /// Whether the builder uses positions; otherwise, the parser doesn't compute them.
  static var wantsLocations: Bool { get }

  static func scalar(_ value: JSONValue, at location: SourceLocation) -> Node
  static func sequence(_ nodes: [Node], at location: SourceLocation) -> Node
  static func mapping(_ members: [Member], at location: SourceLocation) -> Node
  static func member(_ key: String, at location: SourceLocation, _ node: Node) -> Member
  static func key(of member: Member) -> String
}

enum JSONValueBuilder: JSONTreeBuilder {
  static var wantsLocations: Bool { false }

  static func scalar(_ value: JSONValue, at location: SourceLocation) -> JSONValue { value }

  static func sequence(_ nodes: [JSONValue], at location: SourceLocation) -> JSONValue {
    .array(nodes)
  }

  static func mapping(_ members: [JSONObject.Member], at location: SourceLocation) -> JSONValue {
    .object(JSONObject(uniqueMembers: members))
  }

  static func member(
    _ key: String, at location: SourceLocation, _ node: JSONValue
  ) -> JSONObject.Member { (key, node) }

  static func key(of member: JSONObject.Member) -> String { member.key }
}

enum SourceNodeBuilder: JSONTreeBuilder {
  static var wantsLocations: Bool { true }

  static func scalar(_ value: JSONValue, at location: SourceLocation) -> SourceNode {
    SourceNode(.scalar(value), at: location)
  }

  static func sequence(_ nodes: [SourceNode], at location: SourceLocation) -> SourceNode {
    SourceNode(.sequence(nodes), at: location)
  }

  static func mapping(_ members: [SourceMember], at location: SourceLocation) -> SourceNode {
    SourceNode(.mapping(members), at: location)
  }

  static func member(
    _ key: String, at location: SourceLocation, _ node: SourceNode
  ) -> SourceMember { SourceMember(key: key, keyLocation: location, node: node) }

  static func key(of member: SourceMember) -> String { member.key }
}
