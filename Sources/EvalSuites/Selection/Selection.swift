import EvalRecords
import StructuredText

/// A selection of the loaded suites, variants and test cases to run.
public struct Selection: Sendable, Hashable {
  /// The variants to run.
  public enum Variants: Sendable, Hashable {
    /// The first variant of each suite.
    case defaults
    /// Every variant.
    case all
    /// The variants with these ids, or `suite:variant`, where `*` stands for any text; suites
    /// without any of them are left out.
    case named([String])
  }

  /// Ids of suites; empty for all.
  public var suites: [String]
  /// Ids of test cases, or `suite/case`, where `*` stands for any text; empty for all.
  public var cases: [String]
  /// Tags, of which a test case or its suite must have at least one; empty for all.
  public var tags: [String]
  /// The variants to run.
  public var variants: Variants
  /// The share of the test cases to run; nil for all.
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

/// One of several shares of the test cases, for running them on several machines.
public struct Shard: Sendable, Hashable {
  /// The number of this share, starting at 1.
  public var index: Int
  /// The number of shares.
  public var count: Int

  /// Creates a share, or nil if the numbers are not valid.
  public init?(index: Int, count: Int) {
    guard count >= 1, index >= 1, index <= count else { return nil }
    self.index = index
    self.count = count
  }

  /// Parses `2/5`; nil if the text is not a share.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
      return nil
    }
    self.init(index: index, count: count)
  }

  /// Returns whether a test case belongs to the share.
  ///
  /// The result depends only on the ids, so a test case stays in its share when others are added or
  /// removed.
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
  /// Applies the selection.
  ///
  /// - Parameter suites: The loaded suites.
  /// - Returns: The suites with only the selected variants and test cases; suites without any are
  ///   left out. If the share contains no test case at all, the result is all the selected suites,
  ///   each with an empty list of test cases, so that the share can be run and merged like the
  ///   others.
  /// - Throws: An error for the first name that doesn't exist.
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
    let shares = selected.enumerated().map { position, suite in
      var suite = suite
      suite.details.plan = SuitePlan(position: position, cases: suite.cases.map(\.id))
      suite.cases = suite.cases.filter { shard.contains(suite: suite.id, caseID: $0.id) }
      return suite
    }
    let withCases = shares.filter { !$0.cases.isEmpty }
    return withCases.isEmpty ? shares : withCases
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
