import EvalRecords
import EvalReports
import ResultStore
import SystemBasics

/// Keeps the comparisons of a run that also rest on earlier runs.
///
/// All comparisons of a night share its significance level. So if one of them needs to be kept, all
/// are.
enum KeptComparisons {
  /// Returns the comparisons that a run kept, one for each of its references, or `nil` if they can
  /// be made again.
  static func records(
    of run: RunRecord, path: String
  ) throws(SessionFailure) -> [ComparisonRecord]? {
    let references = (run.details.references ?? []).filter { $0.digest != nil }
    guard !references.isEmpty, references.allSatisfy({ $0.comparison != nil }) else { return nil }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var records: [ComparisonRecord] = []
    for reference in references {
      do {
        records.append(
          try decoder.decode(
            ComparisonRecord.self, from: Data((reference.comparison ?? "").utf8)))
      } catch {
        throw SessionFailure(
          .cannotRun,
          "\(path): run \(run.id), the comparison of \(reference.suite) is damaged: \(error)")
      }
    }
    return records
  }

  /// Returns the records of a run's references with the comparisons, or `nil` if no comparison
  /// rests on earlier runs.
  static func references(
    of run: RunRecord, _ comparisons: [ComparisonRecord]
  ) throws -> [ReferenceRecord]? {
    guard var records = run.details.references,
      comparisons.contains(where: { $0.effects.contains { $0.reference == .pooledHistory } })
    else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let places = records.indices.filter { records[$0].digest != nil }
    for (place, comparison) in zip(places, comparisons) {
      records[place].comparison = String(decoding: try encoder.encode(comparison), as: UTF8.self)
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
      if let records = try KeptComparisons.references(of: run, comparisons.map(\.record)) {
        try store.updateReferences(records, ofRun: run.id)
      }
    }
  }
}
