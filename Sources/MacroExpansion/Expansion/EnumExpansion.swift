/// Expands `@Generable` on an enum.
///
/// A value of an enum without payloads is generated as the name of its case. A value of an enum
/// with payloads is generated as an object that begins with the case name under `type`.
struct EnumExpansion {
  let outline: TypeOutline
  let options: GenerableOptions

  private var access: String { outline.access }
  private var hasPayloads: Bool { outline.cases.contains { !$0.payload.isEmpty } }

  /// Returns the source text of the name that a case has in generated content.
  private func name(of item: TypeOutline.Case) -> String {
    // Raw values that are not strings mean nothing to a model.
    if let rawValue = item.rawValue, rawValue.hasPrefix("\"") || rawValue.hasPrefix("#") {
      return rawValue
    }
    return Library.literal(item.plainName)
  }

  // MARK: Members

  var members: [String] {
    var members: [String] = []
    if !outline.ownNames.contains("generationSchema") { members.append(schema) }
    if hasPayloads, !outline.ownNames.contains("PartiallyGenerated") { members.append(partial) }
    return members
  }

  private var schema: String {
    let cases = outline.cases.map { item in
      var source = "\(Library.schema).Case(name: \(name(of: item))"
      if let description = item.guide.description { source += ", description: \(description)" }
      if !item.payload.isEmpty {
        let properties = zip(item.keys, item.payload).map { key, value in
          Library.property(name: key, type: TypeText(value.type), guide: TypeOutline.Guide())
        }
        source += ", payload: [\(properties.joined(separator: ", "))]"
      }
      return source + ")"
    }
    return """
      nonisolated \(access)static var generationSchema: \(Library.schema) {
      \(Library.schema)(type: Self.self, name: \(options.name), description: \(options.description), \
      cases: [
      \(cases.joined(separator: ",\n"))
      ])
      }
      """
  }

  /// The partially generated form of the enum, in which an associated value becomes available as
  /// soon as it has begun.
  private var partial: String {
    let cases = outline.cases.map { item in
      let payload = item.payload.map { value in
        (value.label.map { "\($0): " } ?? "") + TypeText(value.type).partial
      }
      return "case \(item.name)" + (payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))")
    }
    let choices = outline.cases.map { choice($0, reading: "partialValue") }
    let isSendable = outline.inherited.contains { $0.hasSuffix("Sendable") }
    return """
      nonisolated \(access)\(outline.isIndirect ? "indirect " : "")enum PartiallyGenerated: \
      \(Library.convertible)\(isSendable ? ", Swift.Sendable" : "") {
      \(cases.joined(separator: "\n"))
      nonisolated \(access)init(_ content: \(Library.content)) throws {
      switch try content.value(Swift.String.self, forProperty: "type") {
      \(choices.joined(separator: "\n"))
      case let name: throw content.unknownCase(name)
      }
      }
      }
      """
  }

  /// Returns the branch of the initializer's `switch` that creates one case of the enum.
  ///
  /// The generated code doesn't name the payload types, but lets the compiler infer them. The
  /// enum's initializer is in an extension, where the short name of a type that is nested in the
  /// same type as the enum wouldn't compile.
  private func choice(_ item: TypeOutline.Case, reading method: String) -> String {
    let payload = zip(item.keys, item.payload).map { key, part in
      (part.label.map { "\($0): " } ?? "")
        + "content.\(method)(forProperty: \(Library.literal(key)))"
    }
    let source = payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))"
    return "case \(name(of: item)): self = \(payload.isEmpty ? "" : "try ").\(item.name)\(source)"
  }

  // MARK: Conformance

  var conformanceMembers: [String] {
    var members: [String] = []
    if !outline.hasContentInitializer { members.append(initializer) }
    if !outline.ownNames.contains("generatedContent") { members.append(generatedContent) }
    return members
  }

  private var initializer: String {
    let choices = outline.cases.map { choice($0, reading: "value") }
    let name = hasPayloads ? "(Swift.String.self, forProperty: \"type\")" : "(Swift.String.self)"
    return """
      \(access)init(_ content: \(Library.content)) throws {
      switch try content.value\(name) {
      \(choices.joined(separator: "\n"))
      case let name: throw content.unknownCase(name)
      }
      }
      """
  }

  private var generatedContent: String {
    let choices = outline.cases.map { item in
      hasPayloads
        ? payloadContent(item)
        : "case .\(item.name): return \(Library.content)(\(name(of: item)))"
    }
    return """
      \(access)var generatedContent: \(Library.content) {
      switch self {
      \(choices.joined(separator: "\n"))
      }
      }
      """
  }

  private func payloadContent(_ item: TypeOutline.Case) -> String {
    let names = item.payload.indices.map { "value\($0)" }
    let pattern = names.isEmpty ? "" : "(\(names.map { "let \($0)" }.joined(separator: ", ")))"
    let values = zip(item.keys, names).map { key, name in
      "builder.add(\(Library.literal(key)), \(name))"
    }
    return """
      case .\(item.name)\(pattern):
      var builder = \(Library.builder)()
      builder.add("type", \(name(of: item)))
      \(values.joined(separator: "\n"))
      return builder.content
      """
  }
}
