import EvalRecords
import GuidedGeneration
import StructuredText

/// A mutation of a variant: a small, deliberate change that damages the variant as a careless edit
/// might, to test whether any test case notices.
public struct GuideMutation: Sendable, Hashable {
  /// The kinds of mutations.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Removes the bounds at one place in the schema.
    case droppedBound
    /// Removes from a guide the sentences that state a bound.
    case droppedBoundWords
    /// Removes from a guide the sentences that say what to do about missing data.
    case droppedFallback
    /// Removes the fallback case from an enum.
    case droppedOutBranch
    /// Swaps the guides of two neighboring properties or enum cases.
    case swappedGuides
    /// Removes a whole guide.
    case droppedGuide

    /// A description of this kind of mutation.
    public var words: String {
      switch self {
      case .droppedBound: "without the bound"
      case .droppedBoundWords: "without the text about the bound"
      case .droppedFallback: "without the text about a fallback"
      case .droppedOutBranch: "without the fallback case"
      case .swappedGuides: "guides swapped"
      case .droppedGuide: "without the guide"
      }
    }
  }

  /// The kind of mutation.
  public let kind: Kind
  /// The place of the mutation, for example `CardSet.cards`.
  public let place: String
  /// The edit that applies the mutation to the variant.
  public let edit: VariantEdit

  /// A description of the mutation, for example `CardSet.cards: without the bound`.
  public var title: String { "\(place): \(kind.words)" }

  /// Returns the mutations of a variant: bounds and fallbacks first, then swaps, then whole guides.
  ///
  /// - Parameter variant: The variant to mutate.
  /// - Returns: One mutation for each place and kind; the instructions count as a single place.
  public static func mutations(of variant: SuiteVariant) -> [GuideMutation] {
    let schema = variant.generationSchema.json
    var walk = MutationWalk(definitions: schema["$defs"]?.object ?? [:])
    walk.visit(schema, at: [], place: schema["title"]?.string ?? "Root", depth: 0)
    for (name, definition) in walk.definitions.members {
      walk.visit(definition, at: ["$defs", name], place: name, depth: 0)
    }
    if let instructions = variant.instructions {
      for (kind, text) in GuideWords.shortened(instructions) {
        walk.mutations.append(
          GuideMutation(
            kind: kind, place: "instructions",
            edit: .instructions(before: instructions, after: text)))
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: Kind.allCases.enumerated().map { ($1, $0) })
    return walk.mutations.enumerated().sorted {
      (order[$0.element.kind] ?? 0, $0.offset) < (order[$1.element.kind] ?? 0, $1.offset)
    }.map(\.element)
  }

  /// Returns the variant with the mutation applied.
  ///
  /// - Parameters:
  ///   - variant: The variant from which this mutation was derived.
  ///   - id: The id of the mutated variant.
  /// - Throws: `LabError` if the mutation leaves no valid schema.
  public func applied(to variant: SuiteVariant, id: String) throws(LabError) -> SuiteVariant {
    let schema = variant.generationSchema.json
    let edits = if case .schema(let change) = edit { [change] } else { [SchemaEdit]() }
    return try variant.applying(
      [edit], schema: SchemaDifference(from: schema, to: schema).schema(making: edits),
      judgedAs: [variant.generationSchema], id: id, title: title)
  }
}

/// Finds the sentences in guides that mutations remove.
enum GuideWords {
  /// Returns a text in two shortened forms: without the sentences that state bounds, and without
  /// the sentences that offer a fallback.
  ///
  /// A form is omitted if no sentence was removed, or if none would remain.
  static func shortened(_ text: String) -> [(kind: GuideMutation.Kind, text: String)] {
    let sentences = TextCounts.sentenceTexts(in: text)
    func without(_ isDropped: (String) -> Bool) -> String? {
      let kept = sentences.filter { !isDropped($0) }
      guard kept.count < sentences.count, !kept.isEmpty else { return nil }
      return String(kept.joined().drop(while: \.isWhitespace))
    }
    var results: [(kind: GuideMutation.Kind, text: String)] = []
    if let text = without({ WordedBounds(in: $0) != nil }) {
      results.append((.droppedBoundWords, text))
    }
    if let text = without({ !GuideLint.words($0).isDisjoint(with: GuideLint.fallbackWords) }) {
      results.append((.droppedFallback, text))
    }
    return results
  }
}

/// A traversal of a schema's JSON that collects mutations.
private struct MutationWalk {
  let definitions: JSONObject
  var mutations: [GuideMutation] = []

  private static let maximumDepth = 32
  private static let bounds = ["minItems", "maxItems", "minimum", "maximum"]

  mutating func visit(_ node: JSONValue, at pointer: [String], place: String, depth: Int) {
    guard depth < Self.maximumDepth, let members = node.object else { return }
    addGuide(members, pointer, place)
    let bounds = Self.bounds.filter { members[$0] != nil }
    if !bounds.isEmpty {
      add(
        .droppedBound, place, .bound,
        bounds.map { .init(pointer: pointer + [$0], before: members[$0], after: nil) })
    }
    addOutBranch(members, pointer, place)
    for (name, property) in properties(of: members) {
      visit(
        property, at: pointer + ["properties", name], place: "\(place).\(name)", depth: depth + 1)
    }
    swapNeighbours(
      properties(of: members).map {
        (
          $0.value["description"], pointer + ["properties", $0.key, "description"],
          "\(place).\($0.key)"
        )
      })
    if let choices = members["anyOf"]?.array {
      swapNeighbours(
        choices.compactMap { choice in
          target(of: choice).map { name, definition in
            (definition["description"], ["$defs", name, "description"], name)
          }
        })
    }
    if let items = members["items"] {
      visit(items, at: pointer + ["items"], place: "\(place)[*]", depth: depth + 1)
    }
  }

  /// Returns the properties in order, without the `type` property that names an enum case.
  private func properties(of members: JSONObject) -> [JSONObject.Member] {
    let properties = members["properties"]?.object ?? [:]
    let order = members["x-order"]?.array?.compactMap(\.string) ?? properties.keys
    return order.compactMap { name in
      guard let property = properties[name], !(name == "type" && property["const"] != nil) else {
        return nil
      }
      return (name, property)
    }
  }

  private mutating func add(
    _ kind: GuideMutation.Kind, _ place: String, _ editKind: SchemaEdit.Kind,
    _ changes: [SchemaEdit.Change]
  ) {
    mutations.append(
      GuideMutation(
        kind: kind, place: place,
        edit: .schema(SchemaEdit(kind: editKind, place: place, changes: changes))))
  }

  private mutating func addGuide(_ members: JSONObject, _ pointer: [String], _ place: String) {
    guard let guide = members["description"], let text = guide.string else { return }
    let pointer = pointer + ["description"]
    for (kind, shorter) in GuideWords.shortened(text) {
      add(
        kind, place, .guide,
        [.init(pointer: pointer, before: guide, after: .string(shorter))])
    }
    add(.droppedGuide, place, .guide, [.init(pointer: pointer, before: guide, after: nil)])
  }

  private mutating func addOutBranch(
    _ members: JSONObject, _ pointer: [String], _ place: String
  ) {
    for keyword in ["enum", "anyOf"] {
      guard let cases = members[keyword], let list = cases.array, list.count > 2 else { continue }
      let kept = list.filter { choice in
        let name =
          choice.string ?? target(of: choice)?.definition["properties"]?["type"]?["const"]?.string
        return !(name.map(GuideLint.isOutBranch) ?? false)
      }
      guard !kept.isEmpty, kept.count < list.count else { continue }
      add(
        .droppedOutBranch, place, .choices,
        [.init(pointer: pointer + [keyword], before: cases, after: .array(kept))])
    }
  }

  private mutating func swapNeighbours(
    _ places: [(guide: JSONValue?, pointer: [String], name: String)]
  ) {
    let described = places.filter { $0.guide?.string != nil }
    for index in stride(from: 0, to: described.count - 1, by: 2) {
      let (left, right) = (described[index], described[index + 1])
      guard left.guide != right.guide else { continue }
      add(
        .swappedGuides, "\(left.name) and \(right.name)", .guide,
        [
          .init(pointer: left.pointer, before: left.guide, after: right.guide),
          .init(pointer: right.pointer, before: right.guide, after: left.guide),
        ])
    }
  }

  private func target(of choice: JSONValue) -> (name: String, definition: JSONValue)? {
    let prefix = "#/$defs/"
    guard let reference = choice["$ref"]?.string, reference.hasPrefix(prefix) else { return nil }
    let name = String(reference.dropFirst(prefix.count))
    return definitions[name].map { (name, $0) }
  }
}
