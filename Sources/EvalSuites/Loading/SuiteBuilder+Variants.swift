import EvalRecords
import GuidedGeneration
import StructuredText

extension SuiteBuilder {
  /// A variant to which edits are being applied.
  private struct Draft {
    var schema: GenerationSchema
    var instructions: String?
    var prompt: String
    var promptPlace: SourceLocation
    var edits: [String] = []
    var options = SettingsEdit()
    var stub: StubScript?
  }

  /// Builds the variants with their edits applied, or returns an empty list if none can be built.
  mutating func variants(_ root: SourceNode, _ source: SuiteSource?) -> [SuiteVariant] {
    checkIDs(of: root["variants"]?.elements ?? [], what: "variant")
    guard let source else { return [] }
    let base = Draft(
      schema: source.schema, instructions: root["instructions"]?.text ?? source.instructions,
      prompt: root["prompt"]?.text ?? "{{input}}",
      promptPlace: root["prompt"]?.location ?? root.location)
    guard let list = root["variants"] else {
      return variant(id: "default", title: "default", base).map { [$0] } ?? []
    }
    var variants: [SuiteVariant] = []
    for node in list.elements where format.isSound(node) {
      guard let id = node["id"]?.text else { continue }
      var draft = base
      draft.stub = node["stub"].flatMap { StubScript($0) }
      var isSound = true
      for edit in node["edits"]?.elements ?? [] where !apply(edit, to: &draft) {
        isSound = false
      }
      draft.options = node["options"].map { SettingsEdit($0) } ?? SettingsEdit()
      draft.edits += draft.options.words
      if isSound, let variant = variant(id: id, title: node["title"]?.text ?? id, draft) {
        variants.append(variant)
      }
    }
    return variants
  }

  private mutating func variant(id: String, title: String, _ draft: Draft) -> SuiteVariant? {
    do throws(PromptTemplate.SyntaxProblem) {
      return SuiteVariant(
        id: id, title: title, schema: draft.schema.json.compactText,
        instructions: draft.instructions, prompt: try PromptTemplate(parsing: draft.prompt),
        edits: draft.edits, stub: draft.stub, options: draft.options,
        generationSchema: draft.schema, judgedSchema: draft.schema.judgedJSON?.compactText)
    } catch {
      format.problems.add(draft.promptPlace, error.problem, allowed: error.allowed)
      return nil
    }
  }

  private mutating func apply(_ edit: SourceNode, to draft: inout Draft) -> Bool {
    for member in edit.members {
      let node = member.node
      let place = SchemaPlace(node["at"]?.text ?? "")
      do throws(SchemaEditError) {
        switch member.key {
        case "guide":
          draft.schema = try draft.schema.replacingGuide(
            at: place, text: node["text"]?.text ?? "")
          draft.edits.append("guide of \(place.text)")
        case "bound":
          let bounds = NumberBounds(
            minimum: node["min"]?.value.number, maximum: node["max"]?.value.number)
          draft.schema = try draft.schema.replacingBound(
            at: place, minimum: bounds.minimum, maximum: bounds.maximum)
          draft.edits.append("bound of \(place.text): \(bounds.words)")
        case "removeBranch":
          let name = node["case"]?.text ?? ""
          draft.schema = try draft.schema.removingBranch(at: place, case: name)
          draft.edits.append("without the case \(name) of \(place.text)")
        case "instructions":
          draft.instructions = node["text"]?.text
          draft.edits.append("instructions")
        case "prompt":
          draft.prompt = node["text"]?.text ?? ""
          draft.promptPlace = node["text"]?.location ?? node.location
          draft.edits.append("prompt")
        default: return false
        }
      } catch {
        add(error, node)
        return false
      }
    }
    return true
  }

  private mutating func add(_ error: SchemaEditError, _ node: SourceNode) {
    let at = node["at"]?.location ?? node.location
    switch error {
    case .unknownPlace(let place, _, let places):
      format.problems.add(
        at, "the schema has no `\(place.text)`",
        allowed: NearestName.hint(for: place.text, among: places, what: "it has"))
    case .unknownCase(let place, let name, let cases):
      format.problems.add(
        node["case"]?.location ?? at, "`\(place.text)` has no case `\(name)`",
        allowed: NearestName.hint(for: name, among: cases, what: "it has"))
    case .unbounded, .invalidBounds, .noChoice, .lastCase:
      format.problems.add(at, error.description)
    }
  }

  /// Reports ids and aliases that occur more than once.
  mutating func checkIDs(of nodes: [SourceNode], what: String) {
    var places: [String: SourceLocation] = [:]
    for node in nodes {
      guard let idNode = node["id"], let id = idNode.text else { continue }
      if let first = places[id] {
        format.problems.add(
          idNode.location, "the \(what) id `\(id)` is used twice",
          allowed: "the first one is at \(format.problems.address(of: first))")
      } else {
        places[id] = idNode.location
      }
    }
    for node in nodes {
      for alias in node["aliases"]?.elements ?? [] {
        guard let id = alias.text else { continue }
        if let first = places[id] {
          format.problems.add(
            alias.location, "the alias `\(id)` is already the id or alias of another \(what)",
            allowed: "the other one is at \(format.problems.address(of: first))")
        } else {
          places[id] = alias.location
        }
      }
    }
  }
}
