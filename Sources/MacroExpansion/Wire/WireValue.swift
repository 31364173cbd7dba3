/// A JSON value in the messages between the compiler and the plugin.
///
/// The plugin is built for the host before anything else, and should start within milliseconds. So
/// it imports only the C library. This file and `WireParser` are the only JSON code that it needs.
enum WireValue: Equatable {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([WireValue])
  case object([Member])

  struct Member: Equatable {
    var key: String
    var value: WireValue
  }

  static func members(_ members: KeyValuePairs<String, WireValue>) -> WireValue {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  subscript(key: String) -> WireValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  var string: String? { if case .string(let string) = self { string } else { nil } }
  var int: Int? { if case .number(let int) = self { int } else { nil } }
  var array: [WireValue]? { if case .array(let array) = self { array } else { nil } }

  /// The first member of an object.
  ///
  /// A message is an object with one member, whose key is the message's name.
  var firstMember: Member? {
    if case .object(let members) = self { members.first } else { nil }
  }

  // MARK: Writing

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  private func write(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let number): bytes += String(number).utf8
    case .string(let string): Self.write(string, into: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (position, member) in members.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += ("\\u00" + (digits.utf8.count == 1 ? "0" : "") + digits).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
