import GuidedGeneration
import StructuredText

/// A schema's grammar as text: its rules, and the points at which the model decides.
///
/// ```
/// DeckSet = { "cards": [ Card × 3…8 ] }
/// Card    = { "question": string of 1…80 characters, "hint"?: string, "level": "easy" | "hard" }
///
/// array     $.cards            another element or the end (elements so far: 3…7)
/// optional  $.cards[*].hint    present or absent
/// choice    $.cards[*].level   "easy" | "hard"
/// ```
package struct GrammarExplanation {
  /// The name and the definition of a type.
  package struct Rule: Sendable, Hashable {
    /// The type's name.
    package var name: String
    /// The definition of the type.
    package var text: String
  }

  /// A point at which the schema leaves a choice.
  package struct DecisionPoint: Sendable, Hashable {
    /// The kind of the decision.
    package var kind: DecisionKind
    /// The path in the value; `[*]` stands for any element.
    package var path: String
    /// A description of the options.
    package var options: String
  }

  /// The types as rules: the root first, then the others in order of first use.
  package private(set) var rules: [Rule] = []
  /// The decisions, in the order in which a value reaches them.
  ///
  /// A recursive type is expanded only once on each path.
  package private(set) var decisions: [DecisionPoint] = []
  /// Whether the list of decisions is incomplete, because there are more than `mostDecisions` of
  /// them or too many places to search.
  package private(set) var isCut = false

  /// The maximum number of decisions in the list.
  package static let mostDecisions = 500
  private static let mostOptions = 12
  /// The maximum number of nodes to visit when searching for decisions; a node counts once for each
  /// path that leads to it.
  private static let mostVisits = 100_000
  private var visits = 0
  /// The types that contain a decision, directly or through another type.
  private var deciding: Set<String> = []

  private let definitions: [String: SchemaNode]
  private var queue: [String] = []
  private var named: Set<String> = []

  /// Creates an explanation of a schema that `Grammar.init` accepts.
  package init(schema: GenerationSchema) {
    definitions = Dictionary(
      schema.definitions.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first }
    ).merging([SchemaNode.rootName: schema.root]) { $1 }
    rules.append(
      Rule(name: Self.name(of: schema.root) ?? "root", text: text(schema.root, depth: 0)))
    var next = 0
    while next < queue.count {
      let name = queue[next]
      next += 1
      if let node = definitions[name] { rules.append(Rule(name: name, text: text(node, depth: 0))) }
    }
    deciding = decidingTypes()
    collect(schema.root, path: "$", within: [], depth: 0)
  }

  private static func name(of node: SchemaNode) -> String? {
    switch node {
    case .object(let it): it.name
    case .union(let it): it.name
    case .string(let it): it.name
    default: nil
    }
  }

  // MARK: Rules

  private mutating func text(_ node: SchemaNode, depth: Int) -> String {
    if depth > 64 { return "…" }
    switch node {
    case .object(let it):
      let members = it.properties.map { property in
        let mark = property.isOptional && !it.representsNilExplicitly ? "?" : ""
        let value = text(property.node, depth: depth + 1)
        let null = property.isOptional && it.representsNilExplicitly ? " | null" : ""
        return Self.quoted(property.name) + "\(mark): \(value)\(null)"
      }
      let extra =
        (it.extra?.rules ?? []).map { "/\($0.pattern)/: " + text($0.node, depth: depth + 1) }
        + (it.extra?.others.map { ["any other key: " + text($0, depth: depth + 1)] } ?? [])
      return members.isEmpty && extra.isEmpty
        ? "{}" : "{ " + (members + extra).joined(separator: ", ") + " }"
    case .array(let it):
      return
        "[ \(elements(of: it, depth: depth + 1))\(it.hasUniqueElements ? ", all different" : "") ]"
    case .string(let it): return text(it)
    case .integer(let it):
      return "integer" + Self.bounds(it.minimum.map { "\($0)" }, it.maximum.map { "\($0)" })
    case .number(let it): return "number" + Self.bounds(it.minimum?.text, it.maximum?.text)
    case .boolean: return "true | false"
    case .constant(let value, _): return value ? "true" : "false"
    case .null: return "null"
    case .union(let it):
      return "( " + it.choices.map { text($0, depth: depth + 1) }.joined(separator: " | ") + " )"
    case .reference(let name, _):
      if name == SchemaNode.rootName { return rules.first?.name ?? "root" }
      if named.insert(name).inserted { queue.append(name) }
      return name
    case .any: return "any value"
    }
  }

  /// Describes the elements of an array: `string × 1…3`, or `number, number, then string × 0…`.
  private mutating func elements(of array: ArraySchema, depth: Int) -> String {
    let first = array.prefix.map { text($0, depth: depth) }
    let minimum = max(0, (array.minimumCount ?? 0) - first.count)
    let maximum = array.maximumCount.map { max(0, $0 - first.count) }
    if maximum == 0, !first.isEmpty { return first.joined(separator: ", ") }
    let rest =
      "\(text(array.element, depth: depth)) × \(Self.range(minimum, maximum) ?? "0…")"
    return first.isEmpty ? rest : first.joined(separator: ", ") + ", then " + rest
  }

  private func text(_ string: StringSchema) -> String {
    if let choices = string.choices { return Self.list(choices) }
    var text = "string"
    if let range = Self.range(string.minimumLength ?? 0, string.maximumLength) {
      text += " of \(range) characters"
    }
    if let pattern = string.shownPattern { text += " matching /\(pattern)/" }
    return text
  }

  private static func list(_ options: [String]) -> String {
    let shown = options.prefix(mostOptions).map(quoted)
    let rest = options.count - shown.count
    return (shown + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: " | ")
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONText.quoted(text), as: UTF8.self)
  }

  private static func range(_ minimum: Int, _ maximum: Int?) -> String? {
    if let maximum { return minimum == maximum ? "\(minimum)" : "\(minimum)…\(maximum)" }
    return minimum > 0 ? "\(minimum)…" : nil
  }

  private static func bounds(_ minimum: String?, _ maximum: String?) -> String {
    minimum == nil && maximum == nil ? "" : " \(minimum ?? "")…\(maximum ?? "")"
  }

  // MARK: Decisions

  private mutating func note(_ kind: DecisionKind, _ path: String, _ options: String) {
    if decisions.count == Self.mostDecisions {
      isCut = true
    } else {
      decisions.append(DecisionPoint(kind: kind, path: path, options: options))
    }
  }

  private mutating func collect(
    _ node: SchemaNode, path: String, within names: Set<String>, depth: Int
  ) {
    if isCut || depth > 64 { return }
    visits += 1
    if visits > Self.mostVisits {
      isCut = true
      return
    }
    switch node {
    case .object(let it):
      for property in it.properties {
        let inner = path + JSONPlace.Step.name(property.name).text
        if property.isOptional, Self.recordsPresence(in: it) {
          let absent = it.representsNilExplicitly ? "null" : "absent"
          note(.optional, inner, "present or \(absent)")
        }
        collect(property.node, path: inner, within: names, depth: depth + 1)
      }
    case .array(let it):
      let minimum = it.minimumCount ?? 0
      if Self.recordsCount(of: it), it.maximumCount.map({ $0 > minimum }) ?? true {
        let counts = Self.range(minimum, it.maximumCount.map { $0 - 1 })
        let words = counts.map { " (elements so far: \($0))" } ?? ""
        note(.array, path, "another element or the end\(words)")
      }
      for (index, node) in it.prefix.enumerated() {
        collect(
          node, path: path + JSONPlace.Step.index(index).text, within: names, depth: depth + 1)
      }
      if it.maximumCount.map({ $0 > it.prefix.count }) ?? true {
        collect(
          it.element, path: path + JSONPlace.Step.wildcard.text, within: names, depth: depth + 1)
      }
    case .string(let it):
      if let choices = it.choices, choices.count > 1 { note(.choice, path, Self.list(choices)) }
    case .union(let it):
      if it.choices.count > 1 {
        note(
          .branch, path,
          it.choices.map { text($0, depth: 60) }.joined(separator: " | "))
      }
      for choice in it.choices { collect(choice, path: path, within: names, depth: depth + 1) }
    case .reference(let name, _):
      guard deciding.contains(name), !names.contains(name), let definition = definitions[name]
      else { return }
      collect(definition, path: path, within: names.union([name]), depth: depth + 1)
    case .integer, .number, .boolean, .constant, .null, .any: break
    }
  }

  /// Returns the types that contain a decision, directly or through another type.
  ///
  /// The search for decisions skips all other types. Otherwise, each further type could double the
  /// number of paths: `D0 = { x: D1, y: D1 }`, `D1 = { x: D2, y: D2 }`, …
  private func decidingTypes() -> Set<String> {
    var users: [String: [String]] = [:]
    var result: Set<String> = []
    var open: [String] = []
    for (name, definition) in definitions {
      var nodes = [definition]
      var decides = false
      while let node = nodes.popLast() {
        if case .reference(let target, _) = node { users[target, default: []].append(name) }
        if Self.decides(node) { decides = true }
        nodes += node.children
      }
      if decides { open.append(name) }
    }
    while let name = open.popLast() {
      if result.insert(name).inserted { open += users[name] ?? [] }
    }
    return result
  }

  /// Returns whether the engine records which of an object's optional properties are present.
  ///
  /// For objects that write absent properties as null, it always does. For all other objects, it
  /// does so only if the object allows no other keys and doesn't limit the number of keys.
  private static func recordsPresence(in object: ObjectSchema) -> Bool {
    object.representsNilExplicitly || object.extra == nil && object.count == nil
  }

  /// Returns whether the engine records where an array ends.
  ///
  /// The engine doesn't record it for arrays with a prefix or with unique elements.
  private static func recordsCount(of array: ArraySchema) -> Bool {
    array.prefix.isEmpty && !array.hasUniqueElements
  }

  private static func decides(_ node: SchemaNode) -> Bool {
    switch node {
    case .object(let it): recordsPresence(in: it) && it.properties.contains(where: \.isOptional)
    case .array(let it):
      recordsCount(of: it) && (it.maximumCount.map { $0 > it.minimumCount ?? 0 } ?? true)
    case .string(let it): it.choices.map { $0.count > 1 } ?? false
    case .union(let it): it.choices.count > 1
    case .reference, .integer, .number, .boolean, .constant, .null, .any: false
    }
  }
}
