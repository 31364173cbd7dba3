/// The reference of one suite of a run: what the run was compared with.
///
/// The run keeps this record, and the database keeps a copy of the reference. So a report that is
/// written later shows the same comparison, even if another baseline has been accepted since.
public struct ReferenceRecord: Sendable, Hashable, Codable {
  /// The suite's id.
  public var suite: String
  /// The SHA-256 digest of the copy, or `nil` if the suite has no reference.
  public var digest: String?
  /// The key of the model and protocol that the baseline is for, or `nil` if the reference is for
  /// any model.
  public var modelKey: String?
  /// The time of acceptance, ISO 8601 in UTC, or `nil` if the reference is not an accepted
  /// baseline.
  public var acceptedAt: String?
  /// A fact about the choice of the reference.
  public var remark: ReferenceRemark?
  /// The comparison with the reference as JSON, or `nil` if it rests only on the run and the copy.
  ///
  /// A comparison that also rests on earlier runs (``ComparisonReference/pooledHistory``) can't be
  /// made again if they are deleted, or if the run is imported without them. It is a text because
  /// most readers of a run's record don't need it.
  public var comparison: String?

  /// Creates a record; by default, of a suite without a reference.
  public init(
    suite: String, digest: String? = nil, modelKey: String? = nil, acceptedAt: String? = nil,
    remark: ReferenceRemark? = nil
  ) {
    self.suite = suite
    self.digest = digest
    self.modelKey = modelKey
    self.acceptedAt = acceptedAt
    self.remark = remark
  }
}

/// A fact about the choice of a suite's reference.
public enum ReferenceRemark: Sendable, Hashable, Codable {
  /// An earlier run was compared with an accepted baseline, but now there is no baseline file.
  case baselineFileIsGone(comparedRun: Int)
  /// A run was accepted as the baseline, but there is no baseline file.
  case acceptedFileIsGone(run: Int)
  /// There is no baseline in the folder of reports, but there is one in another folder.
  case baselineElsewhere(searched: String, found: String)
  /// No run was made on a branch, but there are runs on a branch with a similar name.
  case misspelledBranch(name: String, known: String)
  /// The database lacks the first complete run, so a later run is the reference.
  case firstRunMissing(first: Int, reference: Int)
  /// A run stopped early, so a later run is the reference.
  case stoppedEarly(run: Int, reference: Int)
  /// The baseline was accepted after the run, which kept no copy of its own reference.
  case acceptedLater
  /// The attempts of the reference are lost, so the run is compared with the counts in the history.
  case countsOnly(run: Int)
  /// The attempts of the reference are lost, and nobody knows whether its counts in the history
  /// rest on the same inputs, assertions and options as this run's.
  case uncheckedCounts(run: Int)
  /// The attempts of the reference are lost, and its counts rest on other inputs, assertions or
  /// options than this run's.
  case countsOfEditedSuite(run: Int)
  /// The run that would be the reference ran on other models, or on more of them.
  case otherModels(run: Int, before: [String], after: [String])
  /// There are accepted baselines, but only for other models.
  case baselinesOfOtherModels

  /// Whether the run can't be compared with what it should be compared with.
  public var preventsComparison: Bool {
    switch self {
    case .acceptedLater, .baselineFileIsGone, .acceptedFileIsGone, .otherModels,
      .baselinesOfOtherModels, .countsOfEditedSuite:
      true
    case .firstRunMissing, .stoppedEarly, .countsOnly, .uncheckedCounts, .baselineElsewhere,
      .misspelledBranch:
      false
    }
  }

  /// Whether a baseline of the suite was accepted, but its file is gone.
  public var isLostFile: Bool {
    switch self {
    case .baselineFileIsGone, .acceptedFileIsGone: true
    default: false
    }
  }

  /// Whether the reference has only counts, because its attempts are lost.
  public var isAboutCounts: Bool {
    switch self {
    case .countsOnly, .uncheckedCounts: true
    default: false
    }
  }
}
