import StructuredText

/// A finding that the team knows and lives with for a time.
///
/// The entries are in a committed file. A run keeps the entries by which it was judged, so that a
/// later report shows the same conclusion.
public struct Acknowledgement: Sendable, Hashable, Codable {
  /// The suite's id.
  public var suite: String
  /// The variant's id, or `nil` for any variant.
  public var variant: String?
  /// The backend's id, or `nil` for any backend.
  public var backend: String?
  /// The name of the quantity or of the missed part of the gate, as reports write it.
  public var quantity: String
  /// The value beyond which the finding has grown.
  public var limit: Double
  /// The ids of the test cases that may newly fail, or `nil` if the limit alone counts.
  public var cases: [String]?
  /// The reason.
  public var reason: String
  /// The day of the acknowledgement, in the form `2026-11-29`.
  public var since: String
  /// The last day on which the acknowledgement holds.
  public var until: String

  /// Creates an entry.
  public init(
    suite: String, variant: String? = nil, backend: String? = nil, quantity: String, limit: Double,
    cases: [String]? = nil, reason: String, since: String, until: String
  ) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
    self.quantity = quantity
    self.limit = limit
    self.cases = cases
    self.reason = reason
    self.since = since
    self.until = until
  }
}

extension Acknowledgement {
  /// Returns whether the entry is about a backend whose name is almost that of one of a run's.
  ///
  /// A run can lack a backend, so another name is no mistake.
  package func misspellsBackend(of run: RunRecord) -> Bool {
    let names = run.backends.map(\.id)
    guard let backend, !names.contains(backend) else { return false }
    return NearestName.nearest(to: backend, among: names) != nil
  }
}

/// A regressed quantity or a missed part of a gate, in a form that can be acknowledged.
public struct RedFinding: Sendable, Hashable {
  /// The suite, variant and backend.
  public var slice: SliceKey
  /// The name of the quantity or of the missed part of the gate, as reports write it.
  public var name: String
  /// The value that the run has.
  public var value: Double
  /// Whether a higher value is worse.
  public var isWorseHigher: Bool
  /// The value beyond which a later run is worse than this one by more than noise.
  public var limit: Double
  /// Whether the finding regressed or missed a gate, and isn't only inconclusive.
  public var isCertain: Bool
  /// The ids of the slice's test cases that newly fail for certain; empty without a comparison.
  public var newlyFailing: [String]
  /// Whether nothing is sampled in the slice, so that the same test cases fail every night.
  public var isFixed: Bool
  /// Whether the value is worse than the baseline's or than the gate's, certainly or not.
  public var isWorse: Bool
  /// The value if the answers that backend errors or a smaller set of test cases took were all
  /// good, or `nil` if it is the same.
  ///
  /// Without an answer that was good, the value looks worse, although nothing grew.
  public var best: Double?

  /// Creates a finding.
  public init(
    slice: SliceKey, name: String, value: Double, isWorseHigher: Bool, limit: Double,
    isCertain: Bool = true, isWorse: Bool = true, newlyFailing: [String] = [],
    isFixed: Bool = false, best: Double? = nil
  ) {
    self.slice = slice
    self.name = name
    self.value = value
    self.isWorseHigher = isWorseHigher
    self.limit = limit
    self.isCertain = isCertain
    self.isWorse = isWorse
    self.newlyFailing = newlyFailing
    self.isFixed = isFixed
    self.best = best
  }

  /// Returns whether an entry is about this finding.
  public func isOf(_ entry: Acknowledgement) -> Bool {
    entry.quantity == name && entry.suite == slice.suite
      && entry.variant.map { $0 == slice.variant } ?? true
      && entry.backend.map { $0 == slice.backend } ?? true
  }

  /// The test cases to list in an entry, or `nil` if the limit alone counts.
  ///
  /// If answers are sampled, other test cases fail every night by chance.
  public var casesToList: [String]? {
    isFixed && !newlyFailing.isEmpty ? newlyFailing : nil
  }

  /// Returns the test cases that newly fail although an entry doesn't list them.
  public func newCases(beyond entry: Acknowledgement) -> [String] {
    guard let cases = entry.cases.map({ Set($0) }) else { return [] }
    return newlyFailing.filter { !cases.contains($0) }
  }

  /// Returns whether the finding is worse than an entry allows, or has other test cases.
  public func exceeds(_ entry: Acknowledgement) -> Bool {
    exceedsLimit(of: entry) || !newCases(beyond: entry).isEmpty
  }

  /// Returns whether the value is beyond the limit of an entry.
  public func exceedsLimit(of entry: Acknowledgement) -> Bool {
    // The limit was rounded when it was written.
    let value = best ?? value
    return isWorseHigher ? value > entry.limit + 1e-9 : value < entry.limit - 1e-9
  }
}

/// The findings of a run, sorted by whether an acknowledgement covers them.
public struct AcknowledgedFindings: Sendable, Hashable {
  /// A finding with the entry that is about it.
  public struct Match: Sendable, Hashable {
    /// The finding.
    public var finding: RedFinding
    /// The entry.
    public var entry: Acknowledgement
  }

  /// The findings that are acknowledged, including those that shrank and are no longer certain.
  public var covered: [Match] = []
  /// The findings that have grown beyond the limit of their entry.
  public var grown: [Match] = []
  /// The findings whose entry begins after the run's day.
  public var pending: [Match] = []
  /// The findings whose entry has ended.
  public var ended: [Match] = []
  /// The entries that are about nothing in the run, for example because a name is misspelled.
  public var unmatched: [Acknowledgement] = []
  /// The gates that are missed for a reason that isn't acknowledged.
  public var missedGates: [GateResultRecord] = []
  /// The verdicts of the comparisons without their acknowledged findings.
  public var verdicts: [ComparisonVerdict] = []
  /// Whether a test case newly fails in a comparison whose findings are not all acknowledged.
  public var hasNewlyFailing = false

  /// The day of the oldest entry that covers a finding, or `nil` if none does.
  public var since: String? { covered.map(\.entry.since).min() }

  /// Applies the acknowledgements that a run kept to its findings.
  ///
  /// A finding is covered if an entry that holds on the day on which the run began is about it, and
  /// the finding hasn't grown beyond any of these entries: the strictest one counts. A gate that is
  /// missed for any other reason stays missed, and so does a comparison that regressed for any
  /// other reason.
  ///
  /// - Parameters:
  ///   - run: The run, with its entries.
  ///   - gates: The results of the gates, each with its findings, or with `nil` if the gate is
  ///     missed for a reason that can't be acknowledged.
  ///   - comparisons: The comparisons, each with the findings of its effects.
  public init(
    _ run: RunRecord, gates: [(result: GateResultRecord, findings: [RedFinding]?)],
    comparisons: [(record: ComparisonRecord, finding: (EffectRecord) -> RedFinding)]
  ) {
    let entries = run.acknowledgements
    let day = String(run.startedAt.prefix(10))
    /// Whether a finding is covered; notes the finding.
    func isCovered(_ finding: RedFinding, _ all: inout AcknowledgedFindings) -> Bool {
      let own = entries.filter(finding.isOf)
      func add(_ entry: Acknowledgement, to list: WritableKeyPath<AcknowledgedFindings, [Match]>) {
        let match = Match(finding: finding, entry: entry)
        let isKnown = all[keyPath: list].contains {
          $0.entry == entry && $0.finding.slice == finding.slice
        }
        let counts = finding.isCertain || list == \.covered && finding.isWorse
        if counts, !isKnown { all[keyPath: list].append(match) }
      }
      let open = own.filter { $0.since <= day && day <= $0.until }
      if let entry = open.first(where: finding.exceeds) {
        add(entry, to: \.grown)
      } else if let entry = open.first {
        add(entry, to: \.covered)
        return true
      } else if let entry = own.first(where: { day < $0.since }) {
        add(entry, to: \.pending)
      } else if let entry = own.last {
        add(entry, to: \.ended)
      }
      return false
    }
    for (gate, findings) in gates where !gate.isPassed {
      let open = findings?.filter { !isCovered($0, &self) }
      if open?.isEmpty != true { missedGates.append(gate) }
    }
    for (record, finding) in comparisons {
      let verdict = record.verdict(without: { isCovered(finding($0), &self) })
      verdicts.append(verdict)
      // A test case that newly fails is a part of an acknowledged regression.
      if record.hasNewlyFailing, verdict == record.verdict { hasNewlyFailing = true }
    }
    // An entry that covers one comparison of a quantity, but not the other, doesn't cover it.
    let lost = Set(grown.map(\.entry))
    covered.removeAll { lost.contains($0.entry) }
    for (record, _) in comparisons where !hasNewlyFailing {
      for flipped in record.flips {
        let slice = flipped.place.candidate
        let lists = covered.filter { $0.finding.slice == slice }.compactMap(\.entry.cases)
        let listed = Set(lists.joined())
        let ids = lists.isEmpty ? flipped.failingOutside ?? [] : flipped.failing
        if !listed.isSuperset(of: ids) { hasNewlyFailing = true }
      }
    }
  }
}

extension RunRecord {
  /// The acknowledgements that the run kept, with the ids that their test cases have in this run.
  package var acknowledgements: [Acknowledgement] {
    (details.acknowledgements ?? []).map { entry in
      guard let suite = suites.first(where: { $0.id == entry.suite }) else { return entry }
      let ids = Set(suite.cases.map(\.id))
      func current(_ id: String) -> String {
        if ids.contains(id) { return id }
        return suite.cases.first {
          suite.details.cases?[$0.id]?.aliases?.contains(id) == true
        }?.id ?? id
      }
      var entry = entry
      entry.cases = entry.cases?.map(current)
      let prefix = RedFinding.caseScorePrefix
      if entry.quantity.hasPrefix(prefix) {
        entry.quantity = prefix + current(String(entry.quantity.dropFirst(prefix.count)))
      }
      return entry
    }
  }
}

extension RedFinding {
  /// The beginning of the name of a gate's requirement on a single test case.
  package static let caseScorePrefix = "gate: test case "
}

extension ComparisonRecord {
  /// Returns the ids of the test cases of a slice that newly fail for certain, each once.
  package func newlyFailing(in slice: SliceKey) -> [String] {
    Set(flips.filter { $0.place.candidate == slice }.flatMap(\.failing)).sorted()
  }

  /// Returns the verdict without the findings that are acknowledged.
  ///
  /// - Parameter isCovered: Returns whether the finding of an effect is acknowledged.
  package func verdict(without isCovered: (EffectRecord) -> Bool) -> ComparisonVerdict {
    guard verdict == .regressed || verdict == .inconclusive else { return verdict }
    let deciding = effects.filter { $0.isGating && $0.verdict == verdict }
    let open = deciding.filter { !isCovered($0) }
    guard !deciding.isEmpty, open.isEmpty else { return verdict }
    guard verdict == .regressed else { return .ok }
    let consequences = differences.map(\.fact.consequence)
    if consequences.contains(.broken) { return .broken }
    if consequences.contains(.notComparable) || consequences.contains(.incomplete) {
      return .notComparable
    }
    let unsure = effects.filter {
      $0.isGating && $0.verdict == .inconclusive && $0.reference == .baseline
    }
    return unsure.allSatisfy(isCovered) ? .ok : .inconclusive
  }
}
