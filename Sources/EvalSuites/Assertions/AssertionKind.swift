import StructuredText

/// One kind of assertion: its name, its parameters, how it is read, and an example.
///
/// Each kind has one file in `Kinds`, which also says how it is evaluated and worded. The loader,
/// the reference and the JSON Schema for editors all read ``all``.
package struct AssertionKind: Sendable {
  /// The key under which an assertion of the kind stands.
  package let name: String
  /// When such an assertion passes, in one sentence without a full stop.
  package let summary: String
  /// The parameters under the key.
  package let parameters: Parameters
  /// How it is written, and two answers that it tells apart.
  package let example: AssertionExample
  /// Reads an assertion from a node that the format check found sound.
  let read: @Sendable (inout CheckReader, SourceNode, SchemaView?) -> (any Check)?

  /// The forms of the parameters.
  package enum Parameters: Sendable {
    /// A mapping with these keys.
    case keys([KeyRow], rules: [KeyRule])
    /// One other assertion.
    case assertion
    /// A list of other assertions.
    case assertions
    /// A formula.
    case formula
  }

  init(
    _ name: String, _ summary: String, _ parameters: Parameters, example: AssertionExample,
    read: @escaping @Sendable (inout CheckReader, SourceNode, SchemaView?) -> (any Check)?
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.example = example
    self.read = read
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The kind with a name; nil if there is none.
  package static func named(_ name: String) -> AssertionKind? { byName[name] }
}

/// How an assertion of a kind is written, with two answers that it tells apart.
///
/// The reference shows the examples, and a test evaluates them.
package struct AssertionExample: Sendable {
  /// The entry of a list of assertions, in YAML's flow style.
  package var entry: String
  /// An answer that passes; for a kind about the attempt as a whole, its facts.
  package var passing: String
  /// One that fails.
  package var failing: String
  /// What the failure reports as found.
  package var actual: String

  init(_ entry: String, passing: String, failing: String, actual: String) {
    self.entry = entry
    self.passing = passing
    self.failing = failing
    self.actual = actual
  }
}

extension AssertionKind: Hashable {
  package static func == (left: AssertionKind, right: AssertionKind) -> Bool {
    left.name == right.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension AssertionKind {
  /// What may stand under the kind's key.
  var keyKind: KeyKind {
    switch parameters {
    case .keys: .table(.check(self))
    case .assertion: .table(.assertion)
    case .assertions: .list(.table(.assertion), minimum: 1)
    case .formula: .formula
    }
  }

  /// The table of the parameters; empty for kinds without keys.
  var table: KeyTable {
    guard case .keys(let rows, let rules) = parameters else { return KeyTable("`\(name)`", []) }
    return KeyTable("`\(name)`", rows, rules: rules)
  }
}
