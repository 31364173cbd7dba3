import Testing

@testable import MacroExpansion

@Suite("Messages to and from the compiler")
struct WireTests {
  private func reply(_ message: WireValue) throws -> WireValue {
    try WireParser.parse(PluginServer.reply(to: message.bytes))
  }

  @Test("a value reads back as it was written")
  func roundTrip() throws {
    let value = WireValue.members([
      "a\"\\\n\u{1}é😀": .array([.null, .bool(true), .number(-12), .string("")]), "b": .object([]),
    ])
    #expect(try WireParser.parse(value.bytes) == value)
    #expect(
      try WireParser.parse(Array(#" "\u00e9\ud83d\ude00\/\t" "#.utf8)) == .string("é😀/\t"))
  }

  @Test(
    "a text that is not a message is rejected",
    arguments: ["", "{", "[1,]", #""\ud800""#, #"{"a" 1}"#, "nul", "1 2", "\"a"])
  func refused(text: String) {
    #expect(throws: WireParser.Failure.self) { try WireParser.parse(Array(text.utf8)) }
  }

  @Test("the plugin states its protocol version")
  func capability() throws {
    let reply = try reply(.members(["getCapability": .object([])]))
    #expect(reply["getCapabilityResult"]?["capability"]?["protocolVersion"] == .number(7))
  }

  @Test("a diagnostic names the file and the position in it")
  func diagnostic() throws {
    let message = WireValue.members([
      "expandAttachedMacro": .members([
        "macro": .members(["typeName": .string("GenerableMacro")]), "macroRole": .string("member"),
        "attributeSyntax": .members(["source": .string("@Generable")]),
        "declSyntax": .members([
          "source": .string("struct S { var x: any P }"),
          "location": .members(["offset": .number(100), "fileName": .string("a.swift")]),
        ]),
      ])
    ])
    let result = try reply(message)["expandMacroResult"]
    #expect(result?["expandedSource"] == .string(""))
    let position = result?["diagnostics"]?.array?.first?["position"]
    // The declaration begins at offset 100, and `x` follows 15 bytes later.
    #expect(position?["offset"] == .number(115))
    #expect(position?["fileName"] == .string("a.swift"))
  }

  @Test("an unknown message and an unreadable message still get a reply")
  func unknown() throws {
    #expect(try reply(.members(["later": .null]))["expandMacroResult"] != nil)
    #expect(try WireParser.parse(PluginServer.reply(to: []))["expandMacroResult"] != nil)
  }
}
