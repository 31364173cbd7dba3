import EvalFindings
import EvalRecords
import ResultStore

/// Keeps the comparisons of a run that also rest on earlier runs.
///
/// All comparisons of a night share its significance level. So if one of them needs to be kept, all
/// are.
enum KeptComparisons {
  /// Returns the comparisons that a run kept, one for each of its references, or `nil` if they can
  /// be made again.
  static func records(
    of run: RunRecord, in store: ResultStore
  ) throws(SessionFailure) -> [ComparisonRecord]? {
    let references = (run.details.references ?? []).filter { $0.digest != nil }
    let texts = references.compactMap(\.comparison)
    guard !texts.isEmpty, texts.count == references.count else { return nil }
    return try perform { try texts.map { try store.comparison($0) } }
  }

  /// Returns the records of a run's references with the comparisons, or `nil` if no comparison
  /// rests on earlier runs.
  static func references(
    of run: RunRecord, _ comparisons: [ComparisonRecord], in store: ResultStore
  ) throws -> [ReferenceRecord]? {
    guard var records = run.details.references,
      comparisons.contains(where: { $0.effects.contains { $0.reference == .pooledHistory } })
    else { return nil }
    let places = records.indices.filter { records[$0].digest != nil }
    for (place, comparison) in zip(places, comparisons) {
      records[place].comparison = try store.text(of: comparison)
    }
    return records
  }
}

extension JudgedRun {
  /// Stores the comparisons that rest on earlier runs, so that later reports show them even if the
  /// earlier runs are gone.
  ///
  /// Call this before ``addSecondLooks(in:)``.
  ///
  /// - Parameter store: The database.
  package func keepComparisons(in store: ResultStore) throws(SessionFailure) {
    try perform {
      if let records = try KeptComparisons.references(
        of: run, comparisons.map(\.record), in: store)
      {
        try store.updateReferences(records, ofRun: run.id)
      }
    }
  }
}
