import GuidedGeneration
import StructuredText

/// A set of prompts from which a schema is built at run time: an object with a summary, a
/// confidence, and one text for each sub-component.
struct PromptSet {
  /// One sub-component.
  struct Part {
    var title: String
    var guide: String?
  }

  var instructions: String
  var name: String
  var description: String?
  var summaryGuide: String?
  var confidenceGuide: String?
  var parts: [Part]

  /// Reads a prompt set from a node that the format check has found sound.
  init?(_ node: SourceNode) {
    guard let name = node["name"]?.text, let instructions = node["instructions"]?.text else {
      return nil
    }
    self.name = name
    self.instructions = instructions
    description = node["description"]?.text
    summaryGuide = node["summaryGuide"]?.text
    confidenceGuide = node["confidenceGuide"]?.text
    parts = (node["subComponents"]?.elements ?? []).compactMap { part in
      part["title"]?.text.map { Part(title: $0, guide: part["bodyGuide"]?.text) }
    }
  }

  /// Builds the schema of the answer.
  ///
  /// - Throws: What the schema cannot be built from, such as two properties of one name.
  func schema() throws -> GenerationSchema {
    let text = DynamicGenerationSchema(type: String.self)
    let components = DynamicGenerationSchema(
      name: "subComponents",
      properties: parts.map {
        DynamicGenerationSchema.Property(name: $0.title, description: $0.guide, schema: text)
      })
    let root = DynamicGenerationSchema(
      name: name, description: description,
      properties: [
        DynamicGenerationSchema.Property(
          name: "summary", description: summaryGuide, schema: text),
        DynamicGenerationSchema.Property(
          name: "confidence", description: confidenceGuide,
          schema: DynamicGenerationSchema(type: Int.self)),
        DynamicGenerationSchema.Property(name: "subComponents", schema: components),
      ])
    return try GenerationSchema(root: root, dependencies: [])
  }
}
