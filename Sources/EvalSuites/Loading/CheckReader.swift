import EvalRecords
import GuidedGeneration
import StructuredText

/// Reads assertions from nodes that have passed the format check.
///
/// The reader also checks the assertions against the schema: their paths, the types at these paths,
/// and the names of enum cases. Each kind reads its own parameters; this type contains the shared
/// parts.
struct CheckReader {
  /// The problems so far.
  var problems: ProblemCollector
  /// The view of the schema at the root, where paths with `$` start, or `nil` if the schema
  /// couldn't be read.
  let root: SchemaView?
  /// The folder of the suite file, in which commands run.
  var folder = ""
  /// The names of the environment variables that commands receive.
  var environment: [String] = []
  /// Words about the reason why the schema rules out a value, for the end of messages.
  var cause = ""
  /// Whether the check that is being read is nested in another check.
  private(set) var isNested = false

  init(
    problems: ProblemCollector, root: SchemaView?, folder: String = "",
    environment: [String] = [], cause: String = ""
  ) {
    self.cause = cause
    self.problems = problems
    self.root = root
    self.folder = folder
    self.environment = environment
  }

  /// Reads one entry in a list of assertions.
  ///
  /// - Parameters:
  ///   - node: A mapping with the key of one kind.
  ///   - view: The schema at the place where paths start, or `nil` if the schema couldn't be read.
  /// - Returns: The check, or `nil` if it has problems.
  mutating func check(_ node: SourceNode, _ view: SchemaView?) -> (any Check)? {
    for member in node.members {
      if let kind = AssertionKind.named(member.key) { return kind.read(&self, member.node, view) }
    }
    return nil
  }

  /// Reads a nested list of assertions, or returns `nil` if any of them has problems.
  mutating func checks(_ list: SourceNode, _ view: SchemaView?) -> [any Check]? {
    let wasNested = isNested
    isNested = true
    defer { isNested = wasNested }
    let checks = list.elements.map { check($0, view) }
    let sound = checks.compactMap(\.self)
    return sound.count == checks.count ? sound : nil
  }

  /// Reads the path under the key `path`, and looks up the schema at that path.
  mutating func path(
    _ node: SourceNode, _ view: SchemaView?
  ) -> (JSONPlace, SchemaView?)? {
    guard let pathNode = node["path"], let text = pathNode.text,
      let path = try? JSONPlace(parsing: text, isRelative: text.hasPrefix("@"))
    else { return nil }
    guard let view else { return (path, nil) }
    do throws(SchemaView.DeadEnd) {
      return (path, try view.following(path))
    } catch {
      problems.add(pathNode.location, "`\(text)`: \(error.problem)", allowed: error.allowed)
      return nil
    }
  }

  /// Reads a formula, and checks its paths against the schema.
  mutating func expression(_ node: SourceNode, _ view: SchemaView?) -> Expression? {
    guard let text = node.text, let expression = try? Expression(parsing: text) else { return nil }
    var isSound = true
    for read in expression.paths {
      guard let start = read.isRelative ? view : root else { continue }
      do throws(SchemaView.DeadEnd) {
        _ = try start.following(read.path)
      } catch {
        let path = read.isRelative ? read.path.relativeDescription : read.path.description
        problems.add(
          node.location, "`\(path)` in the formula: \(error.problem)", allowed: error.allowed)
        isSound = false
      }
    }
    return isSound ? expression : nil
  }

  // MARK: Lookups in the schema

  /// Returns whether the value at the path can have one of the given types, and reports a problem
  /// if not.
  mutating func require(
    _ types: [String], _ type: String, _ path: JSONPlace, _ view: SchemaView,
    _ node: SourceNode
  ) -> Bool {
    let found = view.shapes.map { view.schema.typeName(of: $0) }
    if found.contains(where: { types.contains($0) || $0 == "any" }) { return true }
    problems.add(
      node["path"]?.location ?? node.location, "`\(path)` is of type \(view.typeWords)",
      allowed: "`\(type)` applies to \(types.joined(separator: " or "))")
    return false
  }

  /// Returns whether the schema allows all expected values, and reports a problem for each value
  /// that it doesn't allow.
  mutating func canBeAny(
    of nodes: [SourceNode], _ path: JSONPlace, _ view: SchemaView
  ) -> Bool {
    nodes.map { canBe($0, path, view) }.allSatisfy(\.self)
  }

  /// Returns whether the schema allows an expected value, and reports a problem if not.
  private mutating func canBe(
    _ node: SourceNode, _ path: JSONPlace, _ view: SchemaView
  ) -> Bool {
    let value = node.value
    if view.shapes.contains(where: { $0.canBe(value) }) { return true }
    if let text = value.string, let branches = view.branches {
      return known(text, among: branches, at: node, what: "values of `\(path)`")
    }
    problems.add(
      node.location, "`\(path)` can never be \(ValueWords.short(value))",
      allowed: "it is \(view.shapes.map(\.valueWords).joined(separator: " or "))" + cause)
    return false
  }

  /// Returns whether a name is among the given names, and reports a problem if not.
  mutating func known(
    _ name: String, among names: [String], at node: SourceNode, what: String
  ) -> Bool {
    if names.contains(name) { return true }
    problems.add(
      node.location, "there is no `\(name)` among the \(what)",
      allowed: NearestName.hint(for: name, among: names, what: "they are") + cause)
    return false
  }
}

extension SchemaNode {
  var isArray: Bool { if case .array = self { true } else { false } }
  var isNumeric: Bool {
    switch self {
    case .integer, .number: true
    default: false
    }
  }
  /// The limits on an array's length or on a number, or `nil` for other nodes.
  var limits: (JSONNumber?, JSONNumber?)? {
    switch self {
    case .array(let array):
      (array.minimumCount.map { JSONNumber($0) }, array.maximumCount.map { JSONNumber($0) })
    case .integer(let integer):
      (integer.minimum.map { JSONNumber($0) }, integer.maximum.map { JSONNumber($0) })
    case .number(let number): (number.minimum, number.maximum)
    default: nil
    }
  }
  var isAny: Bool { if case .any = self { true } else { false } }

  /// Returns whether the value has the node's type and, for a scalar, is among its choices and
  /// within its bounds.
  fileprivate func canBe(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.any, _), (.object, .object), (.array, .array), (.boolean, .bool), (.null, .null):
      true
    case (.constant(let allowed, _), .bool(let flag)): allowed == flag
    case (.string(let string), .string(let text)): string.choices?.contains(text) ?? true
    case (.integer(let integer), .number(let number)):
      number.int.map { $0 >= integer.minimum ?? .min && $0 <= integer.maximum ?? .max } ?? false
    case (.number(let bounds), .number(let number)):
      NumberBounds(minimum: bounds.minimum, maximum: bounds.maximum).contains(number)
    default: false
    }
  }

  /// A description of the values that the node allows.
  fileprivate var valueWords: String {
    func bounded(_ noun: String, _ bounds: NumberBounds) -> String {
      bounds == NumberBounds() ? noun : "\(noun) of \(bounds.words)"
    }
    return switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .boolean: "a boolean"
    case .constant(let value, _): value ? "true" : "false"
    case .null: "null"
    case .integer(let integer):
      bounded(
        "an integer",
        NumberBounds(
          minimum: integer.minimum.map { JSONNumber($0) },
          maximum: integer.maximum.map { JSONNumber($0) }))
    case .number(let number):
      bounded("a number", NumberBounds(minimum: number.minimum, maximum: number.maximum))
    case .union, .reference, .any: "any value"
    }
  }
}
