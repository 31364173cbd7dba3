import EvalRecords
import GuidedGeneration
import StructuredText

/// A first suite for a schema, with a test case for each branch, each array bound and each optional
/// property.
///
/// The stub gives the expected answer to each test case, so the suite passes from the start. The
/// author only has to write the inputs.
public struct StarterSuite: Sendable {
  /// One test case.
  struct Case {
    var id: String
    var title: String
    var assertions: [String]
    var content: JSONValue
  }

  /// The suite's id.
  let id: String
  /// The name of the generated type.
  let typeName: String
  /// The path of the schema file, relative to the suite.
  let schemaFile: String
  /// The assertions for all test cases.
  private(set) var shared: [String] = []
  /// The test cases.
  private(set) var cases: [Case] = []
  /// Whether test cases were left out because of the limit on their number.
  public private(set) var isCut = false

  /// The number of test cases.
  public var caseCount: Int { cases.count }

  private let schema: GenerationSchema
  /// The types that are being visited, so that a recursive type isn't visited inside itself.
  private var open = [SchemaNode.rootName]
  private var usedIDs: Set<String> = []

  /// The maximum number of test cases.
  private static let maximumCases = 200
  /// The largest bound on an array's length for which the suite gets a test case.
  private static let maximumCount = 64

  /// Creates a starter suite for a schema.
  ///
  /// - Parameters:
  ///   - id: The suite's id.
  ///   - schema: The schema.
  ///   - schemaFile: The path of the schema file, relative to the suite's folder.
  public init(id: String, schema: GenerationSchema, schemaFile: String) {
    self.id = id
    self.schema = schema
    self.schemaFile = schemaFile
    typeName = schema.root.name ?? id
    visit(schema.root, at: .root, picks: [:])
    if cases.isEmpty { add("first", "A first test case", assertions: [present(.root)], picks: [:]) }
  }

  // MARK: Places

  private mutating func visit(
    _ node: SchemaNode, at path: JSONPlace, picks: [JSONPlace: SampleValue.Pick]
  ) {
    if case .reference(let name, _) = node {
      guard !open.contains(name) else { return }
      open.append(name)
      visit(schema.resolved(node), at: path, picks: picks)
      open.removeLast()
      return
    }
    switch node {
    case .object(let object):
      for property in object.properties {
        let place = path.appending(.name(property.name))
        var inside = picks
        if property.isOptional {
          for isPresent in [true, false] {
            inside[place] = .present(isPresent)
            let word = isPresent ? "present" : "absent"
            add(
              "\(property.name)-\(word)", "\(place) is \(word)",
              assertions: [
                isPresent
                  ? present(place) : missing(place, explicitly: object.representsNilExplicitly)
              ], picks: inside)
          }
          inside[place] = .present(true)
        }
        visit(property.node, at: place, picks: inside)
      }
    case .array(let array): visit(array, at: path, picks: picks)
    case .string(let string):
      let choices = string.choices ?? []
      for choice in choices where choices.count > 1 {
        add(
          choice, "\(path) is \(choice)",
          assertions: ["branch: { path: \(Self.quoted(path)), is: \(Self.quoted(choice)) }"],
          picks: picks.merging([path: .choice(choice)], uniquingKeysWith: { $1 }))
      }
    case .union(let union): visit(union, at: path, picks: picks)
    case .integer, .number, .boolean, .constant, .null, .reference, .any: break
    }
  }

  private mutating func visit(
    _ array: ArraySchema, at path: JSONPlace, picks: [JSONPlace: SampleValue.Pick]
  ) {
    let least = array.minimumCount ?? 0
    let isBounded = array.minimumCount != nil || array.maximumCount != nil
    var counts = [least]
    if let most = array.maximumCount {
      if most != least, most <= Self.maximumCount { counts.append(most) }
    } else {
      counts.append(least + 1)
    }
    if path.steps.allSatisfy({ if case .name = $0 { true } else { false } }), isBounded,
      picks.isEmpty
    {
      let bounds = [
        array.minimumCount.map { "min: \($0)" }, array.maximumCount.map { "max: \($0)" },
      ].compactMap(\.self).joined(separator: ", ")
      shared.append("count: { path: \(Self.quoted(path)), \(bounds) }")
    }
    for count in counts where count <= Self.maximumCount {
      add(
        "\(Self.name(of: path))-\(count)", "\(path) has \(count.counted("element"))",
        assertions: ["count: { path: \(Self.quoted(path)), exact: \(count) }"],
        picks: picks.merging([path: .count(count)], uniquingKeysWith: { $1 }))
    }
    guard array.maximumCount != 0, least <= Self.maximumCount else { return }
    let inside = picks.merging([path: .count(max(1, least))], uniquingKeysWith: { $1 })
    visit(
      array.prefix.first ?? array.element, at: path.appending(.index(0)), picks: inside)
  }

  private mutating func visit(
    _ union: UnionSchema, at path: JSONPlace, picks: [JSONPlace: SampleValue.Pick]
  ) {
    for (index, choice) in union.choices.enumerated() {
      let inside = picks.merging([path: .shape(index)], uniquingKeysWith: { $1 })
      let shape = schema.resolved(choice)
      let place = Self.quoted(path)
      if case .object(let object) = shape, let branch = object.branchName {
        add(
          branch, "\(path) is \(branch)",
          assertions: ["branch: { path: \(place), is: \(Self.quoted(branch)) }"], picks: inside)
      } else if case .null = shape {
        add(
          "\(Self.name(of: path))-null", "\(path) is null",
          assertions: ["isNull: { path: \(place) }"], picks: inside)
      } else if case .string(let string) = shape, string.choices != nil {
        // The call to `visit` below adds the test cases for the choices.
      } else {
        let type = schema.typeName(of: shape)
        add(
          "\(Self.name(of: path))-\(shape.name ?? type)", "\(path) is \(shape.name ?? type)",
          assertions: ["not: { isNull: { path: \(place) } }"], picks: inside)
      }
      visit(choice, at: path, picks: inside)
    }
  }

  // MARK: Cases

  private mutating func add(
    _ id: String, _ title: String, assertions: [String], picks: [JSONPlace: SampleValue.Pick]
  ) {
    guard cases.count < Self.maximumCases else {
      isCut = true
      return
    }
    // The schema may not allow what the test case would ask for, such as four different values of
    // an enum with three cases.
    guard let content = SampleValue(schema: schema, picks: picks).value(),
      schema.mismatch(of: content) == nil
    else { return }
    cases.append(
      Case(id: unusedID(id), title: title, assertions: assertions, content: content))
  }

  private mutating func unusedID(_ text: String) -> String {
    let plain = Self.slug(text)
    var id = plain.isEmpty ? "case" : plain
    var number = 2
    while !usedIDs.insert(id).inserted {
      id = "\(plain.isEmpty ? "case" : plain)-\(number)"
      number += 1
    }
    return id
  }

  private func present(_ path: JSONPlace) -> String { "present: { path: \(Self.quoted(path)) }" }

  private func missing(_ path: JSONPlace, explicitly: Bool) -> String {
    explicitly
      ? "isNull: { path: \(Self.quoted(path)) }" : "absent: { path: \(Self.quoted(path)) }"
  }

  // MARK: Names

  /// Returns an id of lowercase letters, digits and hyphens for a name; each capital begins a new
  /// word.
  public static func slug(_ text: String) -> String {
    var slug = ""
    var wasLower = false
    for character in text {
      guard character.isASCII, character.isLetter || character.isNumber else {
        if !slug.isEmpty, !slug.hasSuffix("-") { slug += "-" }
        wasLower = false
        continue
      }
      if character.isUppercase, wasLower { slug += "-" }
      slug += character.lowercased()
      wasLower = character.isLowercase || character.isNumber
    }
    while slug.hasSuffix("-") { slug.removeLast() }
    return String(slug.prefix(60))
  }

  /// Returns the last name in a path, for use in an id.
  private static func name(of path: JSONPlace) -> String {
    for step in path.steps.reversed() {
      if case .name(let name) = step { return name }
    }
    return "value"
  }

  private static func quoted(_ path: JSONPlace) -> String { quoted(path.description) }

  /// Returns a text in double quotes that is valid in both JSON and YAML.
  static func quoted(_ text: String) -> String { JSONValue.string(text).compactText }
}
