import GuidedGeneration
import StructuredText

/// A set of prompts from which the loader builds a schema.
///
/// The schema is an object with a summary, a confidence, and one text for each sub-component.
struct PromptSet {
  /// One sub-component of the answer.
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

  /// Creates a prompt set from a node that has passed the format check.
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
  /// - Throws: An error if the schema can't be built, for example because two properties have the
  ///   same name.
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
