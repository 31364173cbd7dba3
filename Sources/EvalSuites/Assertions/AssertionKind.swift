import StructuredText

/// One kind of assertion: its name, its parameters, its reader, and an example.
///
/// Each kind has a file in `Kinds`, which also contains the kind's evaluation and wording. The
/// loader, the reference and the JSON Schema for editors all iterate over ``all``.
package struct AssertionKind: Sendable {
  /// The key that selects the kind in a suite file.
  package let name: String
  /// The condition under which an assertion of this kind passes: a sentence without its full stop.
  package let summary: String
  /// The form of the value under the key.
  package let parameters: Parameters
  /// The version of the kind, which is raised whenever the verdict on some value changes.
  ///
  /// The digest of an assertion contains it, so a comparison doesn't mix the verdicts of two
  /// versions.
  package let version: Int
  /// An example, with an answer that passes and an answer that fails.
  package let example: AssertionExample
  /// Reads an assertion of this kind from a node that has passed the format check.
  let read: @Sendable (inout CheckReader, SourceNode, SchemaView?) -> (any Check)?

  /// The form of the value under a kind's key.
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
    _ name: String, _ summary: String, _ parameters: Parameters, version: Int = 1,
    example: AssertionExample,
    read: @escaping @Sendable (inout CheckReader, SourceNode, SchemaView?) -> (any Check)?
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.version = version
    self.example = example
    self.read = read
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Returns the kind with the given name, or `nil` if there is none.
  package static func named(_ name: String) -> AssertionKind? { byName[name] }
}

/// An example of a kind, with an answer that passes and an answer that fails.
///
/// The reference shows the examples, and a test evaluates them.
package struct AssertionExample: Sendable {
  /// The entry in a list of assertions, in YAML's flow style.
  package var entry: String
  /// An answer that passes.
  ///
  /// For a kind that judges the attempt as a whole, the text states the facts about the attempt
  /// instead.
  package var passing: String
  /// An answer that fails, in the same form.
  package var failing: String
  /// The description of the actual value in the failed verdict.
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
  /// The kind of value under the key.
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
