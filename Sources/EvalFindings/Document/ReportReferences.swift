import EvalRecords

/// The suites of a run that have no reference, and remarks about references.
public struct ReportReferences: Sendable, Hashable {
  /// The suites that have no reference, so no comparison includes them.
  public var missing: [String]
  /// Whether no suite has a reference.
  public var isMissingEverywhere: Bool
  /// Whether later runs of the branch are compared with this run if no suite has a reference.
  public var isFirst = false
  /// The suites that have an accepted baseline, or were in the last whole run, but no longer exist.
  public var vanished: [String]
  /// Further facts about the references.
  public var remarks: [Remark]

  /// A fact about the reference of a suite.
  public enum Remark: Sendable, Hashable {
    /// A fact about how the reference was chosen.
    case choice(suite: String, ReferenceRemark)
    /// The run was made on a detached HEAD, and its branch is not known.
    case unknownBranch
    /// The last complete run, which is not the reference.
    case lastRun(suite: String, HistoryEntry)
  }

  /// Creates a list of missing references and remarks; by default, no reference is missing.
  public init(
    missing: [String] = [], isMissingEverywhere: Bool = false, vanished: [String] = [],
    remarks: [Remark] = []
  ) {
    self.missing = missing
    self.isMissingEverywhere = isMissingEverywhere
    self.vanished = vanished
    self.remarks = remarks
  }
}

extension HeadlinePart {
  /// Returns the sentences about missing references and about baselines whose suites no longer
  /// exist; the details contain the remarks.
  package static func references(
    _ references: ReportReferences, gates: [GateResultRecord] = [],
    comparisons: [ComparisonRecord] = []
  ) -> HeadlinePart {
    var part = HeadlinePart()
    for remark in references.obstacles {
      part.lead.add(VisibleText.line(remark.words))
    }
    if !references.vanished.isEmpty {
      part.lead.space()
      let names = references.vanished.map(VisibleText.line).listed(3)
      let verb =
        references.vanished.count == 1 ? "no longer has a suite" : "no longer have suites"
      part.lead.text(
        "\(references.vanished.count == 1 ? "The baseline" : "The baselines") of "
          + "\(names) \(verb), so nothing was compared with "
          + "\(references.vanished.count == 1 ? "it" : "them").")
    }
    if references.isMissingEverywhere {
      part.lead.add(
        !references.vanished.isEmpty
          ? "The suites of this run have no baseline."
          : references.isFirst
            ? "No baseline has been accepted yet, and no earlier run of the branch is known, so "
              + "nothing was compared."
            : "No baseline has been accepted yet.")
    } else if !references.unexplained.isEmpty {
      let names = references.unexplained.map(VisibleText.line).listed(3)
      part.lead.add("There is no baseline for \(names).")
    }
    let regressed = comparisons.flatMap(\.effects).filter { $0.verdict == .regressed }
    let changed = Set(gates.filter { !$0.isPassed }.map(\.suite)).union(
      regressed.map(\.place.candidate.suite))
    for words in references.remarkWords(about: changed) {
      part.rest.add(VisibleText.line(words))
    }
    return part
  }
}
