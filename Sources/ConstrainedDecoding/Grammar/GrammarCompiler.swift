import GuidedGeneration
import Patterns
import StructuredText

/// Compiles a schema to a grammar, node by node.
struct GrammarCompiler {
  let schema: GenerationSchema
  var grammar: Grammar
  /// The node of each named type.
  var named: [String: UInt32] = [:]
  /// The named types that are still to be compiled, with the path of their first use.
  var pending: [(name: String, path: String)] = []
  /// The first state of each literal added so far.
  var literals: [[UInt8]: UInt32] = [:]
  var numbers: [String: UInt32] = [:]
  /// The automaton of each pattern compiled so far, keyed by the pattern's UTF-8.
  var automata: [[UInt8]: ByteAutomaton] = [:]
  /// The first state of each pattern added so far, keyed by the pattern and its length bounds.
  var patterns: [PatternKey: UInt32] = [:]
  var lengthIndex: [Grammar.Length: Int] = [:]
  /// The limit on the work for all patterns of the schema together.
  let patternBudget: PatternBudget
  let definitions: [String: SchemaNode]

  init(schema: GenerationSchema, options: GrammarOptions) {
    self.schema = schema
    grammar = Grammar(options: options)
    patternBudget = PatternBudget(steps: options.limits.patternSteps)
    lengthIndex[grammar.lengths[0]] = 0
    var definitions = Dictionary(
      schema.definitions.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
    definitions[SchemaNode.rootName] = schema.root
    self.definitions = definitions
  }

  var limits: GrammarLimits { grammar.options.limits }

  mutating func compile() throws(GrammarError) -> Grammar {
    addPunctuation()
    grammar.root = try reserveName(SchemaNode.rootName, path: "$")
    while let (name, path) = pending.popLast() {
      guard let node = named[name] else { continue }
      guard let definition = definitions[name] else {
        throw GrammarError(path: path, problem: .undefined(name))
      }
      grammar.nodes[Int(node)] = .alias(try add(definition, path: path, depth: 0))
    }
    try checkSelfReferences()
    try checkEnds()
    grammar.hasFreeKeys = grammar.nodes.contains { node in
      switch node {
      case .any: true
      case .openObject(let object): !object.extras.isEmpty
      default: false
      }
    }
    return grammar
  }

  /// Appends a node, and returns its number.
  mutating func append(_ node: Grammar.Node, path: String) throws(GrammarError) -> UInt32 {
    if grammar.nodes.count >= limits.nodes {
      throw limit("nodes of the schema", grammar.nodes.count + 1, limits.nodes, path)
    }
    grammar.nodes.append(node)
    return UInt32(grammar.nodes.count - 1)
  }

  func limit(_ what: String, _ value: Int, _ maximum: Int, _ path: String) -> GrammarError {
    GrammarError(path: path, problem: .limit(what: what, value: value, maximum: maximum))
  }

  /// Returns the node of a named type; the first call for a name schedules the type to be compiled.
  mutating func reserveName(_ name: String, path: String) throws(GrammarError) -> UInt32 {
    if let node = named[name] { return node }
    let node = try append(.alias(0), path: path)
    named[name] = node
    pending.append((name, path))
    return node
  }

  mutating func add(
    _ node: SchemaNode, path: String, depth: Int
  ) throws(GrammarError) -> UInt32 {
    if depth > limits.depth { throw limit("nesting of the schema", depth, limits.depth, path) }
    switch node {
    case .object(let object): return try add(object, path: path, depth: depth)
    case .array(let array): return try add(array, path: path, depth: depth)
    case .string(let string): return try add(string, path: path)
    case .integer(let integer): return try add(integer, path: path)
    case .number(let number): return try add(number, path: path)
    case .boolean: return try append(.states(numbers["boolean"] ?? 0), path: path)
    case .constant(let value, _):
      return try append(.states(literal(Array((value ? "true" : "false").utf8))), path: path)
    case .null: return try append(.states(literal(Array("null".utf8))), path: path)
    case .union(let union): return try add(union, path: path, depth: depth)
    case .reference(let name, _): return try reserveName(name, path: path)
    case .any: return try append(.any(depth: UInt32(limits.anyDepth)), path: path)
    }
  }

  private mutating func add(
    _ array: ArraySchema, path: String, depth: Int
  ) throws(GrammarError) -> UInt32 {
    let minimum = max(0, array.minimumCount ?? 0)
    let bounds = [minimum, array.maximumCount ?? 0]
    for bound in bounds where bound > limits.count {
      throw limit("number of elements", bound, limits.count, path)
    }
    if let maximum = array.maximumCount, maximum < minimum {
      throw GrammarError(
        path: path,
        problem: .unsatisfiable(
          keyword: "minItems", minimum: "\(minimum)", maximum: "\(maximum)"))
    }
    if array.hasUniqueElements, array.maximumCount ?? 2 > 1 {
      return try addSet(array, path: path, depth: depth)
    }
    if !array.prefix.isEmpty {
      var prefix: [UInt32] = []
      for (index, node) in array.prefix.enumerated() {
        prefix.append(try add(node, path: "\(path)[\(index)]", depth: depth + 1))
      }
      let isClosed = array.maximumCount.map { $0 <= prefix.count } ?? false
      let element =
        isClosed
        ? nil : try add(array.element, path: Self.pathOfElement(path), depth: depth + 1)
      return try append(
        .tuple(
          Grammar.Tuple(
            prefix: prefix, element: element, minimum: UInt32(minimum),
            maximum: array.maximumCount.map { UInt32($0) })), path: path)
    }
    let element = try add(array.element, path: Self.pathOfElement(path), depth: depth + 1)
    return try append(
      .array(
        element: element, minimum: UInt32(minimum), maximum: array.maximumCount.map { UInt32($0) }),
      path: path)
  }

  /// Adds an array whose elements are unique and come from a short list of values.
  private mutating func addSet(
    _ array: ArraySchema, path: String, depth: Int
  ) throws(GrammarError) -> UInt32 {
    guard array.prefix.isEmpty, let values = DistinctValues.schemas(of: array.element, definitions)
    else {
      throw GrammarError(path: path, problem: .uniqueElements(limit: DistinctValues.limit))
    }
    let maximum = min(array.maximumCount ?? values.count, values.count)
    let minimum = max(0, array.minimumCount ?? 0)
    if minimum > maximum {
      throw GrammarError(
        path: path,
        problem: .unsatisfiable(keyword: "minItems", minimum: "\(minimum)", maximum: "\(maximum)"))
    }
    var options: [UInt32] = []
    for value in values {
      options.append(try add(value, path: Self.pathOfElement(path), depth: depth + 1))
    }
    return try append(
      .set(
        Grammar.ElementSet(
          options: options, minimum: UInt32(minimum), maximum: UInt32(maximum))), path: path)
  }

  private mutating func add(
    _ union: UnionSchema, path: String, depth: Int
  ) throws(GrammarError) -> UInt32 {
    if union.choices.isEmpty { throw GrammarError(path: path, problem: .noChoice) }
    if union.choices.count > limits.unionChoices {
      throw limit("choices of a union", union.choices.count, limits.unionChoices, path)
    }
    var options: [UInt32] = []
    for choice in union.choices { options.append(try add(choice, path: path, depth: depth + 1)) }
    if options.count == 1 { return options[0] }
    let names = uniqueNames(union.choices.map { optionName(of: $0, depth: 0) })
    return try append(
      .union(Grammar.Union(kind: .branch, options: options, names: .branches(names))), path: path)
  }

  // MARK: Paths

  // Limit the length of paths: they appear only in errors, and nobody reads a very long path.
  private static let longestPath = 2048
  private static let longestName = 256

  /// Returns the path of a member, with the name cut off after `longestName` scalars.
  ///
  /// If the object's path is already too long, the result is the object's path.
  static func path(_ path: String, member name: String) -> String {
    if path.utf8.count >= longestPath { return path }
    // Count scalars, because a single character may consist of a million of them.
    let head = String.UnicodeScalarView(name.unicodeScalars.prefix(longestName))
    return path + JSONPlace.Step.name(String(head)).text
  }

  static func pathOfElement(_ path: String) -> String {
    path.utf8.count < longestPath ? path + JSONPlace.Step.wildcard.text : path
  }

  // MARK: Names of options

  /// Returns the name of a union's option: the constant of its first property, the name of its
  /// type, or its kind.
  private func optionName(of node: SchemaNode, depth: Int) -> String {
    switch node {
    case .object(let object):
      if let first = object.properties.first, case .string(let string) = first.node,
        let choices = string.choices, choices.count == 1
      {
        return choices[0]
      }
      return object.name ?? "object"
    case .reference(let name, _):
      guard depth < 8, let definition = definitions[name] else { return name }
      let inner = optionName(of: definition, depth: depth + 1)
      return inner == "object" ? name : inner
    case .string(let string):
      if let choices = string.choices, choices.count == 1 { return choices[0] }
      return string.name ?? "string"
    case .union(let union): return union.name ?? "union"
    case .array: return "array"
    case .integer: return "integer"
    case .number: return "number"
    case .boolean: return "boolean"
    case .constant(let value, _): return value ? "true" : "false"
    case .null: return "null"
    case .any: return "any"
    }
  }

  private func uniqueNames(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    // The schema itself may contain a name that looks numbered, such as `card#2`.
    var taken = Set(names)
    return names.map { name in
      var count = counts[name, default: 0] + 1
      defer { counts[name] = count }
      if count == 1 { return name }
      while !taken.insert("\(name)#\(count)").inserted { count += 1 }
      return "\(name)#\(count)"
    }
  }
}
