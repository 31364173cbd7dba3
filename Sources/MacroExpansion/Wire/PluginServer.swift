/// Answers the compiler's requests.
package enum PluginServer {
  /// The version of the message protocol.
  static let protocolVersion = 7

  /// Answers requests over standard input and output, one at a time, until the compiler closes the
  /// pipe.
  package static func serve() {
    guard let channel = FrameChannel.standard() else { return }
    while let request = channel.read() {
      guard channel.write(reply(to: request)) else { return }
    }
  }

  static func reply(to request: [UInt8]) -> [UInt8] {
    guard let message = (try? WireParser.parse(request))?.firstMember else {
      return expansion(nil).bytes
    }
    switch message.key {
    case "getCapability":
      return WireValue.members([
        "getCapabilityResult": .members([
          "capability": .members([
            "protocolVersion": .number(protocolVersion), "features": .array([]),
          ])
        ])
      ]).bytes
    case "expandAttachedMacro": return attached(message.value).bytes
    default: return expansion(nil).bytes
    }
  }

  private static func attached(_ body: WireValue) -> WireValue {
    guard let declaration = body["declSyntax"], let source = declaration["source"]?.string,
      let role = body["macroRole"]?.string, let macro = body["macro"]?["typeName"]?.string,
      let attribute = body["attributeSyntax"]?["source"]?.string
    else { return expansion(nil) }
    let result: Expansion
    switch (macro, role) {
    case ("GuideMacro", _): result = GuideExpansion.peer(declaration: source)
    case ("SessionPropertyEntryMacro", "peer"):
      result = SessionPropertyExpansion.peer(declaration: source)
    case ("SessionPropertyEntryMacro", "accessor"):
      result = SessionPropertyExpansion.accessors(declaration: source)
    case ("SessionPropertyDefaultMacro", "accessor"):
      result = SessionPropertyExpansion.defaultValue(declaration: source)
    case (_, "member"):
      result = GenerableExpansion.members(declaration: source, attribute: attribute)
    case (_, "extension"):
      result = GenerableExpansion.conformance(
        declaration: source, attribute: attribute,
        type: body["extendedTypeSyntax"]?["source"]?.string,
        isConforming: body["conformanceListSyntax"]?["source"]?.string.map { $0.isEmpty } ?? false)
    default: result = Expansion()
    }
    return expansion(
      result.source, result.diagnostics.map { wire($0, in: declaration) })
  }

  private static func expansion(_ source: String?, _ diagnostics: [WireValue] = []) -> WireValue {
    .members([
      "expandMacroResult": .members([
        "expandedSource": source.map { .string($0) } ?? .null, "diagnostics": .array(diagnostics),
      ])
    ])
  }

  /// Returns the message for a diagnostic.
  ///
  /// The offset in the message is relative to the start of the file, not of the declaration.
  private static func wire(_ diagnostic: Diagnostic, in declaration: WireValue) -> WireValue {
    let start = declaration["location"]?["offset"]?.int ?? 0
    let file = declaration["location"]?["fileName"]?.string ?? ""
    return .members([
      "message": .string(diagnostic.message), "severity": .string("error"),
      "position": .members([
        "fileName": .string(file), "offset": .number(start + diagnostic.offset),
      ]),
      "highlights": .array([]), "notes": .array([]), "fixIts": .array([]),
    ])
  }
}
