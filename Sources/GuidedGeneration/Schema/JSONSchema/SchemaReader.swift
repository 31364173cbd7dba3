import StructuredText

/// Options for reading a JSON Schema document.
package struct SchemaReadOptions: Sendable {
  /// Whether the model may generate extra keys in addition to declared properties, if the schema
  /// accepts them.
  package var offersExtraKeys = false
  /// Whether the reader enforces `format` instead of treating it as an annotation.
  package var enforcesFormats = false
  /// Whether the reader refuses an unknown keyword instead of treating it as an annotation.
  package var refusesUnknownKeywords = false
  /// Whether `pattern` may match any part of a string instead of the whole string, or `nil` to
  /// follow the document's dialect (`SchemaDialect`).
  package var searchesPatterns: Bool?
  /// Whether the reader also refuses a pattern whose automaton is too large.
  ///
  /// If not, the error comes only where the pattern is compiled, because that takes time.
  package var compilesPatterns = false

  package init() {}
}

/// Reads Apple's dialect and plain JSON Schema into nodes.
///
/// 1. A recursive descent reads the root and every schema that a `$ref` leads to. If several
///    keywords of a place constrain the value, `SchemaAlgebra` intersects their schemas.
/// 2. Each intersection that involves a reference becomes a named type.
/// 3. The reader checks each `oneOf`, and corrects it if two of its schemas overlap.
/// 4. `SchemaLowering` removes impossible parts, and decides what to offer to the model.
struct SchemaReader {
  static let depthLimit = 100
  static let definitionLimit = 1000
  /// The maximum number of choices in a `oneOf`, each of which is compared with all the others.
  static let exclusiveLimit = 1000
  /// The maximum number of schemas in a document.
  static let nodeLimit = 100_000

  let options: SchemaReadOptions
  var algebra = SchemaAlgebra()
  var targets: ReferenceTargets
  /// Whether `pattern` may match any part of a string instead of the whole string.
  let searchesPatterns: Bool
  let patterns: PatternReader
  /// The draft that the document names, or `nil` if it names no draft or one from 2019 or later.
  let draft: SchemaDraft?
  /// The arrays in which no element may be repeated, with the paths of their keywords.
  var uniquePlaces: [(path: String, node: SchemaNode)] = []
  /// The errors for the schemas that no value conforms to, in the order in which the reader found
  /// them.
  var contradictions: [SchemaReadError] = []
  private var nodeCount = 0

  init(_ document: JSONValue, options: SchemaReadOptions = SchemaReadOptions()) {
    var options = options
    if document["x-format-assertion"] == .bool(true) { options.enforcesFormats = true }
    self.options = options
    targets = ReferenceTargets(document)
    searchesPatterns =
      options.searchesPatterns ?? (SchemaDialect(of: document) == .jsonSchema)
    patterns = PatternReader(compiles: options.compilesPatterns)
    draft = SchemaDraft(of: document)
  }

  mutating func schema(_ document: JSONValue) throws(SchemaReadError) -> GenerationSchema {
    try targets.collectDefinitions()
    algebra.taken = Set(targets.definitionOrder)
    let root = try node(document, at: "#", depth: 0)
    algebra.definitions[SchemaNode.rootName] = root
    try readReferenced()
    try resolve()
    // A definition that nothing refers to has no effect. If it can't be enforced, the reader leaves
    // it out instead of refusing the document.
    for name in targets.definitionOrder where algebra.definitions[name] == nil {
      let before = self
      do throws(SchemaReadError) {
        try read(name)
        try readReferenced()
        try resolve()
      } catch {
        if error.isLimit { throw error }
        self = before
        algebra.definitions[name] = .any(description: nil)
        unread.insert(name)
      }
    }
    return try finished(root: algebra.definitions[SchemaNode.rootName] ?? root)
  }

  private var unread: Set<String> = []

  private mutating func readReferenced() throws(SchemaReadError) {
    while let name = targets.queue.popLast() { try read(name) }
  }

  private mutating func read(_ name: String) throws(SchemaReadError) {
    guard algebra.definitions[name] == nil, let target = targets.target(named: name) else { return }
    algebra.definitions[name] = try node(target.value, at: target.path, depth: 0)
  }

  /// Creates the deferred types: intersections, exclusive unions and differences.
  private mutating func resolve() throws(SchemaReadError) {
    do throws(SchemaAlgebra.Problem) {
      try algebra.finish()
    } catch {
      let (path, keyword) = algebra.failurePlace ?? ("#", "allOf")
      throw Self.readError(error, at: path, keyword)
    }
  }

  /// Refuses arrays that forbid repeated elements but whose elements can't be compared while they
  /// are generated.
  private func checkUniquePlaces() throws(SchemaReadError) {
    for place in uniquePlaces {
      guard case .array(let array) = place.node else { continue }
      if array.prefix.isEmpty,
        DistinctValues.schemas(of: array.element, algebra.definitions) != nil
      {
        continue
      }
      throw SchemaReadError(
        at: place.path,
        .refusedKeyword(
          "uniqueItems",
          reason:
            "elements can be compared only if at most \(DistinctValues.limit) values are possible"),
        allowed: ["items with enum, const, boolean or null", "maxItems: 1"])
    }
  }

  private mutating func finished(root: SchemaNode) throws(SchemaReadError) -> GenerationSchema {
    try checkUniquePlaces()
    var types: [(name: String, node: SchemaNode)] = [(SchemaNode.rootName, root)]
    let made = algebra.madeNames
    let order = targets.definitionOrder + targets.otherOrder + made
    for name in order where !unread.contains(name) {
      if let node = algebra.definitions[name] { types.append((name, node)) }
    }
    var lowering = SchemaLowering(offersExtraKeys: options.offersExtraKeys)
    lowering.findEmptyTypes(types)
    if lowering.isEmpty(root) {
      throw contradictions.first
        ?? SchemaReadError(at: "#", .noValue, allowed: ["constraints that some value meets"])
    }
    let loweredRoot = lowering.lowered(root)
    let keepsUnused = made.isEmpty
    var definitions = types.dropFirst().filter { !lowering.isEmpty($0.node) }
      .map { (name: $0.name, node: lowering.lowered($0.node)) }
    definitions =
      keepsUnused && targets.otherOrder.isEmpty
      ? DefinitionOrder.sorted(definitions, root: loweredRoot)
      : DefinitionOrder.used(definitions, root: loweredRoot)
    var schema = GenerationSchema(root: loweredRoot, definitions: definitions)
    schema.dialect = searchesPatterns ? .jsonSchema : .apple
    if let endless = RecursionCheck.endlessType(in: schema) {
      let path = SchemaPointer.reference(to: endless)
      throw SchemaReadError(
        at: path, .endlessRecursion(endless), allowed: ["an optional property", "an array"])
    }
    return schema
  }

  static func readError(
    _ problem: SchemaAlgebra.Problem, at path: String, _ keyword: String
  ) -> SchemaReadError {
    switch problem {
    case .budget:
      SchemaReadError(
        at: path, .tooManyCombinations(limit: SchemaAlgebra.defaultBudget),
        allowed: ["fewer alternatives that apply together"])
    case .unsupported(let reason):
      SchemaReadError(at: path, .refusedKeyword(keyword, reason: reason))
    }
  }

  /// Runs a step of the algebra, and attributes any problem to a keyword.
  mutating func combined(
    _ place: SchemaPlaceReader, _ keyword: String,
    _ body: (inout SchemaAlgebra) throws(SchemaAlgebra.Problem) -> SchemaNode
  ) throws(SchemaReadError) -> SchemaNode {
    do throws(SchemaAlgebra.Problem) {
      return try body(&algebra)
    } catch {
      throw Self.readError(error, at: place.path(to: keyword), keyword)
    }
  }

  // MARK: Nodes

  /// Reads a schema.
  ///
  /// - Parameters:
  ///   - value: The schema.
  ///   - path: Its path in the document.
  ///   - depth: The number of schemas around it.
  ///   - context: The schema of the other keywords around an `allOf` to which this schema belongs,
  ///     or `nil` if a `oneOf` in this schema can be decided alone.
  mutating func node(
    _ value: JSONValue, at path: String, depth: Int, within context: SchemaNode? = nil
  ) throws(SchemaReadError) -> SchemaNode {
    guard depth < Self.depthLimit else {
      throw SchemaReadError(at: path, .tooDeep(limit: Self.depthLimit))
    }
    nodeCount += 1
    guard nodeCount <= Self.nodeLimit else {
      throw SchemaReadError(at: path, .tooManySchemas(limit: Self.nodeLimit))
    }
    if case .bool(let isAny) = value { return isAny ? .any(description: nil) : .never }
    guard case .object(let all) = value else {
      throw SchemaReadError(at: path, .wrongType(found: value.typeName), allowed: ["object"])
    }
    let members = try known(all, at: path)
    let place = SchemaPlaceReader(members: members, path: path, options: options)
    try place.checkKeywords()
    let description = try place.string("description")
    // Up to draft 7, keywords next to `$ref` are ignored.
    if draft != nil, let target = members["$ref"]?.string {
      return .reference(try reference(target, of: place), description: description)
    }
    var parts: [(keyword: String, node: SchemaNode)] = []
    if let own = try own(place, depth: depth) { parts.append(own) }
    if let target = try place.string("$ref") {
      let name = try reference(target, of: place)
      parts.append(("$ref", .reference(name, description: parts.isEmpty ? description : nil)))
    }
    // A part with `oneOf` is read after the others, which may be needed to decide it.
    var exclusive: [(position: Int, path: String, part: JSONValue)] = []
    for (index, part) in (try place.schemas("allOf")).enumerated() {
      let partPath = SchemaPointer.child(of: place.path(to: "allOf"), String(index))
      if part["oneOf"] != nil {
        exclusive.append((parts.count, partPath, part))
        parts.append(("allOf", .any(description: nil)))
      } else {
        parts.append(("allOf", try node(part, at: partPath, depth: depth + 1)))
      }
    }
    if members["anyOf"] != nil {
      parts.append(("anyOf", try union("anyOf", of: place, description, depth: depth)))
    }
    for item in exclusive {
      let around = try joined(parts, of: place)
      parts[item.position].node = try node(
        item.part, at: item.path, depth: depth + 1, within: around.isAny ? context : around)
    }
    if members["oneOf"] != nil {
      guard case .union(let choices) = try union("oneOf", of: place, description, depth: depth)
      else { return .never }
      return try oneOf(
        choices, beside: parts, within: context, of: place, description, depth: depth)
    }
    return try finish(joined(parts, of: place), of: place, description, depth: depth)
  }

  /// Returns the members of a schema, without the keywords that the document's draft doesn't
  /// define.
  private func known(
    _ members: JSONObject, at path: String
  ) throws(SchemaReadError) -> JSONObject {
    guard let draft, let newer = members.keys.first(where: draft.isOlder) else { return members }
    if options.refusesUnknownKeywords {
      throw SchemaReadError(
        at: SchemaPointer.child(of: path, newer), .newerKeyword(newer, draft: draft.number))
    }
    return JSONObject(members.members.filter { !draft.isOlder(than: $0.key) })
  }

  /// Returns the intersection of the nodes that the keywords of one schema object describe.
  private mutating func joined(
    _ parts: [(keyword: String, node: SchemaNode)], of place: SchemaPlaceReader
  ) throws(SchemaReadError) -> SchemaNode {
    guard var result = parts.first?.node else { return .any(description: nil) }
    for part in parts.dropFirst() {
      let left = result
      result = try combined(place, part.keyword) { algebra throws(SchemaAlgebra.Problem) in
        try algebra.intersection(left, part.node)
      }
    }
    return result
  }

  private mutating func finish(
    _ node: SchemaNode, of place: SchemaPlaceReader, _ description: String?, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    var result = try conditional(node, of: place, depth: depth)
    result = try evaluated(result, place, depth: depth)
    return result.described(description ?? result.description)
  }

  private mutating func oneOf(
    _ union: UnionSchema, beside parts: [(keyword: String, node: SchemaNode)],
    within context: SchemaNode?, of place: SchemaPlaceReader, _ description: String?, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    let path = place.path(to: "oneOf")
    guard union.choices.count <= Self.exclusiveLimit else {
      throw SchemaReadError(
        at: path,
        .refusedKeyword(
          "oneOf", reason: "more than \(Self.exclusiveLimit) schemas can't be told apart"),
        allowed: ["anyOf"])
    }
    var base = parts.isEmpty ? nil : try joined(parts, of: place)
    let others = try finish(base ?? .any(description: nil), of: place, nil, depth: depth)
    if base != nil || !others.isAny { base = others }
    // Choices without references can be compared now. Otherwise, all references must be read first.
    if targets.isPlain(.union(union)) {
      let before = algebra
      do throws(SchemaAlgebra.Problem) {
        return try algebra.exclusive(union, beside: base, within: context)
          .described(description ?? base?.description)
      } catch {
        let around = [base, context].compactMap(\.self)
        if around.allSatisfy(targets.isPlain) { throw Self.readError(error, at: path, "oneOf") }
        algebra.goBack(to: before)
      }
    }
    // Usually, the alternatives are obviously exclusive, so no extra type is needed.
    if base == nil, targets.areExclusive(union.choices) { return .union(union) }
    let name = algebra.deferring(
      .exclusive(union, beside: base, within: context), keyword: "oneOf", path: path)
    return .reference(name, description: description)
  }

  private mutating func reference(
    _ target: String, of place: SchemaPlaceReader
  ) throws(SchemaReadError) -> String {
    guard let name = targets.name(of: target) else {
      throw SchemaReadError(
        at: place.path(to: "$ref"), .undefinedReference(target),
        allowed: ["#"] + targets.definitionOrder.map(SchemaPointer.reference(to:)))
    }
    return name
  }

  private mutating func union(
    _ keyword: String, of place: SchemaPlaceReader, _ description: String?, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    let path = place.path(to: keyword)
    let values = try place.schemas(keyword)
    var choices: [SchemaNode] = []
    for (position, value) in values.enumerated() {
      let choicePath = SchemaPointer.child(of: path, String(position))
      choices.append(try node(value, at: choicePath, depth: depth + 1))
    }
    return .union(
      UnionSchema(name: try place.string("title"), description: description, choices: choices))
  }
}
