extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let whole = try? container.decode(Int.self) {
      self = .number(JSONNumber(whole))
    } else if let number = try? container.decode(Double.self) {
      self = .number(JSONNumber(number))
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(
        JSONObject(members.keys.sorted().map { (key: $0, value: members[$0] ?? .null) }))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number):
      if let whole = number.int {
        try container.encode(whole)
      } else {
        try container.encode(number.double)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members):
      try container.encode(
        Dictionary(members.members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
  }
}
