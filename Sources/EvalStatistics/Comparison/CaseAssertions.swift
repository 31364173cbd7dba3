import EvalRecords

/// The assertions of one test case on one side of a comparison.
struct CaseAssertions {
  /// One assertion.
  struct Entry {
    /// The name that identifies the assertion in verdicts, or `nil` if it isn't known.
    var name: String?
    /// The digest of what decides the verdicts or, in runs of version 0.1, the text.
    var identity: String
    /// The digest that includes the weight, or `nil` in runs of version 0.1.
    var digest: String?
  }

  /// The assertions in suite order.
  private(set) var entries: [Entry]

  /// Whether the assertion behind each verdict is known.
  var isNamed: Bool { entries.allSatisfy { $0.name != nil } }

  /// Creates the assertions of a test case.
  ///
  /// - Parameters:
  ///   - record: The test case.
  ///   - identities: The names and digests of the assertions; empty in runs of version 0.1.
  ///   - attempts: The attempts of a run of version 0.1: the names come from one that was judged
  ///     with all assertions, because its verdicts are in the same order as the texts.
  ///   - isByDigest: Whether digests identify the assertions, instead of texts.
  init(
    _ record: CaseRecord, _ identities: [AssertionIdentity],
    _ attempts: some Sequence<AttemptRecord>, isByDigest: Bool
  ) {
    if isByDigest {
      entries = CaseAssertions(identities).entries
      return
    }
    let texts = record.assertions
    var names = identities.map(\.name)
    if names.count != texts.count {
      let complete = attempts.first { $0.verdicts.count == texts.count }
      names = complete?.verdicts.map(\.assertion) ?? []
    }
    entries = texts.enumerated().map { index, text in
      Entry(name: names.indices.contains(index) ? names[index] : nil, identity: text)
    }
  }

  /// Creates the assertions of a test case from their names and digests.
  init(_ identities: [AssertionIdentity]) {
    entries = identities.map {
      Entry(name: $0.name, identity: $0.verdictDigest, digest: $0.digest)
    }
  }

  /// Marks assertions as edited, because the variables that they read have other values.
  ///
  /// - Parameter places: Their positions in suite order.
  mutating func markEdited(_ places: [Int]) {
    for place in places where entries.indices.contains(place) {
      entries[place].identity = "edited: " + entries[place].identity
    }
  }
}

/// The assertions of one test case that both sides of a comparison have, and those that differ.
struct MatchedAssertions {
  /// The names of the assertions that both sides have: the baseline's name, then the candidate's.
  private(set) var common: [(baseline: String?, candidate: String?)] = []
  /// The names of the edited assertions, which are in the same place of the suite or have the same
  /// name but do something different.
  private(set) var edited: [(baseline: String, candidate: String)] = []
  /// The names of the assertions that only the baseline has.
  private(set) var gone: [String] = []
  /// The names of the assertions that only the candidate has.
  private(set) var new: [String] = []
  /// The candidate's names of the assertions that differ only in their weights.
  private(set) var reweighted: [String] = []
  /// Whether both sides have the same assertions, apart from weights.
  private(set) var areSame = true

  /// Matches the assertions of two sides by their identities.
  init(_ baseline: CaseAssertions, _ candidate: CaseAssertions) {
    var left = baseline.entries
    var right = candidate.entries
    // A suite may have the same assertion twice, so equal names come first.
    for usesNames in [true, false] {
      left.removeAll { entry in
        let place = right.firstIndex {
          $0.identity == entry.identity && (!usesNames || $0.name == entry.name)
        }
        guard let place else { return false }
        let partner = right.remove(at: place)
        common.append((entry.name, partner.name))
        if entry.digest != partner.digest, let name = partner.name { reweighted.append(name) }
        return true
      }
    }
    areSame = left.isEmpty && right.isEmpty
    gone = left.compactMap(\.name)
    new = right.compactMap(\.name)
    for name in gone where new.contains(name) { edited.append((name, name)) }
    let named = Set(edited.map(\.baseline))
    gone.removeAll { named.contains($0) }
    new.removeAll { named.contains($0) }
    // An assertion without a name is named by its kind and path, so an edit of these looks like one
    // assertion gone and another one added.
    let pairs = Array(zip(gone, new))
    edited += pairs.map { ($0.0, $0.1) }
    gone.removeFirst(pairs.count)
    new.removeFirst(pairs.count)
  }

  /// Whether an assertion that both sides have has another name in the candidate.
  var hasNewNames: Bool { common.contains { $0.baseline != $0.candidate } }

  /// The candidate's names, keyed by the baseline's, of the assertions that both sides have.
  var names: [String: String] {
    Dictionary(
      common.compactMap { pair in
        guard let before = pair.baseline, let after = pair.candidate else { return nil }
        return (before, after)
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// The assertions that differ between the sides, over all test cases, without duplicates.
struct AssertionChanges {
  private var names: [ComparisonDifference.AssertionChange: [String]] = [:]

  /// Adds the assertions of one test case.
  ///
  /// - Parameters:
  ///   - matched: The assertions.
  ///   - weights: The weights that differ from 1 on both sides.
  mutating func add(
    _ matched: MatchedAssertions,
    weights: (baseline: [String: Double], candidate: [String: Double]) = ([:], [:])
  ) {
    for name in matched.gone {
      insert(name, weights.baseline[name] == 0 ? .uncounted : .removed)
    }
    for name in matched.new {
      insert(name, weights.candidate[name] == 0 ? .uncounted : .added)
    }
    for name in matched.reweighted { insert(name, .reweighted) }
    for (before, after) in matched.edited {
      insert(before == after ? after : "\(before) → \(after)", .changed)
    }
  }

  /// Adds one assertion.
  mutating func insert(_ name: String, _ change: ComparisonDifference.AssertionChange) {
    if names[change]?.contains(name) != true { names[change, default: []].append(name) }
  }

  /// The names for each kind of change.
  var byChange: [(change: ComparisonDifference.AssertionChange, names: [String])] {
    ComparisonDifference.AssertionChange.allCases.compactMap { change in
      names[change].map { (change, $0) }
    }
  }
}
