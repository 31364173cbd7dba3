/// Expands `@Generable` on a struct or an actor.
struct StructExpansion {
  let outline: TypeOutline
  let options: GenerableOptions

  private struct Part {
    var property: TypeOutline.Property
    var type: TypeText
    var key: String

    init(_ property: TypeOutline.Property) {
      self.property = property
      type = TypeText(property.type)
      key = property.name.filter { $0 != "`" }
    }

    var isGenerated: Bool { !type.isGenerationID }
  }

  private var parts: [Part] { outline.properties.map(Part.init) }
  private var access: String { outline.access }

  // MARK: Members

  var members: [String] {
    var members: [String] = []
    if !outline.ownNames.contains("generationSchema") { members.append(schema) }
    if !outline.ownNames.contains("PartiallyGenerated") { members.append(partial) }
    // In an extension, an actor's initializer can't set stored properties.
    if outline.kind == .actor, !outline.hasContentInitializer { members.append(initializer) }
    return members
  }

  private var schema: String {
    let properties = parts.filter(\.isGenerated).map { part in
      Library.property(name: part.key, type: part.type, guide: part.property.guide)
    }
    return """
      nonisolated \(access)static var generationSchema: \(Library.schema) {
      \(Library.schema)(type: Self.self, name: \(options.name), description: \(options.description), \
      representNilExplicitlyInGeneratedContent: \(options.representsNilExplicitly), properties: [
      \(properties.joined(separator: ",\n"))
      ])
      }
      """
  }

  /// The partially generated form of the type, in which a property becomes available as soon as its
  /// value has begun.
  private var partial: String {
    var fields: [String] = []
    var values: [String] = []
    let identifier = parts.first { $0.key == "id" }
    if identifier == nil || identifier?.isGenerated == false {
      fields.append("\(identifier?.property.access ?? access)var id: \(Library.id)")
      values.append("self.id = content.id ?? \(Library.id)()")
    }
    for part in parts {
      let name = part.property.name
      if part.isGenerated {
        fields.append("\(part.property.access)var \(name): \(part.type.partial)")
        values.append("self.\(name) = try content.partialValue(forProperty: \(literal(part.key)))")
      } else if part.key != "id" {
        fields.append("\(part.property.access)var \(name): \(Library.id)")
        values.append("self.\(name) = content.id ?? \(Library.id)()")
      }
    }
    var conformances = [Library.convertible]
    if identifier.map(isIdentifying) ?? true { conformances.append("Swift.Identifiable") }
    if isSendable { conformances.append("Swift.Sendable") }
    return """
      nonisolated \(access)struct PartiallyGenerated: \(conformances.joined(separator: ", ")) {
      \(fields.joined(separator: "\n"))
      nonisolated \(access)init(_ content: \(Library.content)) throws {
      \(values.joined(separator: "\n"))
      }
      }
      """
  }

  private func literal(_ text: String) -> String { Library.literal(text) }

  private var isSendable: Bool {
    outline.inherited.contains { $0.hasSuffix("Sendable") }
  }

  /// Returns whether the partial type can conform to `Identifiable` with this `id` property.
  private func isIdentifying(_ part: Part) -> Bool {
    let hashable = ["Bool", "Decimal", "Double", "Float", "Int", "String"]
    return (!part.isGenerated || hashable.contains(part.type.base))
      && (part.property.access == access || access.isEmpty && part.property.access != "private ")
  }

  // MARK: Conformance

  var conformanceMembers: [String] {
    var members: [String] = []
    if outline.kind == .struct, !outline.hasContentInitializer { members.append(initializer) }
    if !outline.ownNames.contains("generatedContent") { members.append(generatedContent) }
    return members
  }

  /// The source of the initializer that reads generated content.
  ///
  /// The generated code doesn't name the types of the values, but lets the compiler infer them: a
  /// struct's initializer is in an extension, and if the struct is nested in another type, the
  /// extension can't refer to that type's other nested types by their short names.
  private var initializer: String {
    let values = parts.map { part in
      part.isGenerated
        ? "self.\(part.property.name) = try content.value(forProperty: \(literal(part.key)))"
        : "self.\(part.property.name) = content.id ?? \(Library.id)()"
    }
    return """
      \(access)init(_ content: \(Library.content)) throws {
      \(values.joined(separator: "\n"))
      }
      """
  }

  private var generatedContent: String {
    let id = parts.first { !$0.isGenerated }.map { "self.\($0.property.name)" } ?? "nil"
    let values = parts.filter(\.isGenerated).map { part in
      "builder.add(\(literal(part.key)), self.\(part.property.name))"
    }
    return """
      \(access)var generatedContent: \(Library.content) {
      \(values.isEmpty ? "let" : "var") builder = \(Library.builder)(id: \(id), \
      representsNilExplicitly: \(options.representsNilExplicitly))
      \(values.joined(separator: "\n"))
      return builder.content
      }
      """
  }
}
