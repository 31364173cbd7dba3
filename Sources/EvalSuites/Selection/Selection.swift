import EvalRecords
import StructuredText

/// A choice of which loaded suites, variants and test cases to run.
public struct Selection: Sendable, Hashable {
  /// The variants to run.
  public enum Variants: Sendable, Hashable {
    /// The first variant of each suite.
    case defaults
    /// Every variant.
    case all
    /// The variants with these names, which are ids or `suite:variant`; `*` matches any text.
    ///
    /// Suites without any such variant are left out.
    case named([String])
  }

  /// The ids of the suites to run; empty for all.
  public var suites: [String]
  /// The test cases to run, as ids or `suite/case`; `*` matches any text, and an empty list selects
  /// all.
  public var cases: [String]
  /// Tags, at least one of which a test case or its suite must have; empty for all.
  public var tags: [String]
  /// The variants to run.
  public var variants: Variants
  /// The shard of the test cases to run, or `nil` for all test cases.
  public var shard: Shard?

  /// Creates a selection.
  public init(
    suites: [String] = [], cases: [String] = [], tags: [String] = [],
    variants: Variants = .defaults, shard: Shard? = nil
  ) {
    self.suites = suites
    self.cases = cases
    self.tags = tags
    self.variants = variants
    self.shard = shard
  }
}

/// One of the parts into which the test cases are divided so that several machines can run them.
public struct Shard: Sendable, Hashable {
  /// The number of this shard, starting at 1.
  public var index: Int
  /// The number of shards.
  public var count: Int

  /// Creates a shard, or returns `nil` if the numbers aren't valid.
  public init?(index: Int, count: Int) {
    guard count >= 1, index >= 1, index <= count else { return nil }
    self.index = index
    self.count = count
  }

  /// Creates a shard by parsing text such as `2/5`, or returns `nil` if the text isn't a shard.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
      return nil
    }
    self.init(index: index, count: count)
  }

  /// Returns whether a test case belongs to this shard.
  ///
  /// The result depends only on the ids, so a test case stays in its shard when other test cases
  /// are added or removed.
  public func contains(suite: String, caseID: String) -> Bool {
    StableHash.hash("\(suite)/\(caseID)") % UInt64(count) == UInt64(index - 1)
  }
}

/// An error for an unknown name in a selection.
public struct SelectionError: Error, Sendable, Hashable {
  /// The kind of name, for example `test case`.
  public var kind: String
  /// The name.
  public var name: String
  /// The valid names.
  public var names: [String]
}

extension SelectionError: CustomStringConvertible {
  public var description: String {
    if names.isEmpty { return "there is no \(kind) `\(name)`; there are no \(kind)s" }
    let shown = names.count > 20 ? Array(names.prefix(20)) : names
    let more = names.count > 20 ? " and \(names.count - 20) more" : ""
    let hint =
      NearestName.nearest(to: name, among: names).map { "did you mean `\($0)`? The" } ?? "the"
    return "there is no \(kind) `\(name)`; \(hint) \(kind)s are "
      + shown.map { "`\($0)`" }.joined(separator: ", ") + more
  }
}

extension Selection {
  /// Returns the suites with only the selected variants and test cases.
  ///
  /// Suites without any selected variant or test case are left out. But if the shard contains no
  /// test cases at all, the method returns all selected suites with empty lists of test cases, so
  /// that the shard can be run and merged like the other shards.
  ///
  /// - Parameter suites: The loaded suites.
  /// - Throws: `SelectionError` for the first name that doesn't exist.
  public func apply(to suites: [Suite]) throws(SelectionError) -> [Suite] {
    try check(self.suites, "suite", among: suites.map(\.id))
    let chosen = suites.filter { self.suites.isEmpty || self.suites.contains($0.id) }
    let caseNames = chosen.flatMap { suite in suite.cases.map { (suite.id, $0.id) } }
    for name in cases where !caseNames.contains(where: { Self.matches(name, $0.0, "/", $0.1) }) {
      let names =
        name.contains("/") ? caseNames.map { "\($0.0)/\($0.1)" } : caseNames.map(\.1).unique
      throw SelectionError(kind: "test case", name: name, names: names)
    }
    try check(tags, "tag", among: chosen.flatMap { $0.tags + $0.cases.flatMap(\.tags) }.unique)
    if case .named(let names) = variants {
      let known = chosen.flatMap { suite in suite.variants.map { (suite.id, $0.id) } }
      for name in names where !known.contains(where: { Self.matches(name, $0.0, ":", $0.1) }) {
        let names = name.contains(":") ? known.map { "\($0.0):\($0.1)" } : known.map(\.1).unique
        throw SelectionError(kind: "variant", name: name, names: names)
      }
    }
    let selected = chosen.compactMap { suite -> Suite? in
      var suite = suite
      suite.variants = selectedVariants(of: suite)
      suite.cases = suite.cases.filter { isSelected($0, of: suite) }
      return suite.variants.isEmpty || suite.cases.isEmpty ? nil : suite
    }
    guard let shard else { return selected }
    let shards = selected.enumerated().map { position, suite in
      var suite = suite
      suite.details.plan = suite.plan(at: position)
      suite.cases = suite.cases.filter { shard.contains(suite: suite.id, caseID: $0.id) }
      return suite
    }
    let withCases = shards.filter { !$0.cases.isEmpty }
    return withCases.isEmpty ? shards : withCases
  }

  private func selectedVariants(of suite: Suite) -> [SuiteVariant] {
    switch variants {
    case .defaults: Array(suite.variants.prefix(1))
    case .all: suite.variants
    case .named(let names):
      suite.variants.filter { variant in
        names.contains { Self.matches($0, suite.id, ":", variant.id) }
      }
    }
  }

  private func isSelected(_ suiteCase: SuiteCase, of suite: Suite) -> Bool {
    let isNamed =
      cases.isEmpty || cases.contains { Self.matches($0, suite.id, "/", suiteCase.id) }
    let isTagged =
      tags.isEmpty || tags.contains { suite.tags.contains($0) || suiteCase.tags.contains($0) }
    return isNamed && isTagged
  }

  private static func matches(
    _ name: String, _ suite: String, _ separator: String, _ id: String
  ) -> Bool {
    let whole = suite + separator + id
    if name == id || name == whole { return true }
    return name.contains("*") && (Glob(name).matches(id) || Glob(name).matches(whole))
  }

  private func check(
    _ names: [String], _ kind: String, among known: [String]
  ) throws(SelectionError) {
    for name in names where !known.contains(name) {
      throw SelectionError(kind: kind, name: name, names: known)
    }
  }
}
