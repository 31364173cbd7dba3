import EvalRecords
import SystemBasics

/// Baselines for one model and one measurement protocol, or for imported answers, in files named
/// `reports/baselines/SUITE@KEY.jsonl`; the baseline in `SUITE.jsonl` is for any model.
///
/// ```
/// reports/baselines/flashcards@b179c9523d0e-p2.jsonl     digest b179c9523d0e…, protocol 2
/// reports/baselines/flashcards@recorded.jsonl            imported answers
/// ```
/// A run is compared with the baseline for its model and protocol or, if there is none, with
/// `SUITE.jsonl`. So a checkout can hold baselines for several models. If neither file exists, the
/// run has no baseline, because the baseline of another model would be unsuitable.
extension BaselineFile {
  /// Returns the path of the baseline that a run of a suite becomes.
  ///
  /// Imported answers have a baseline of their own, beside the baseline of a model.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - run: The run.
  ///   - isOfModel: Whether the baseline is only for the run's model and protocol.
  ///   - reports: The folder of reports.
  package static func path(
    ofSuite suite: String, acceptedFrom run: RunRecord, isOfModel: Bool, in reports: String
  ) -> String {
    if BaselineKind(of: run) == .recorded {
      return path(ofSuite: suite, forModel: BaselineKind.recorded.rawValue, in: reports)
    }
    guard isOfModel, let key = modelKey(of: run) else {
      return path(ofSuite: suite, in: reports)
    }
    return path(ofSuite: suite, forModel: key, in: reports)
  }

  /// Returns a run's key, which combines the beginning of the model's digest with the protocol.
  ///
  /// The result is `nil` if the run used no model file or more than one.
  package static func modelKey(of run: RunRecord) -> String? {
    let digests = Set(run.backends.compactMap(\.modelDigest))
    guard digests.count == 1, let digest = digests.first, digest.count >= 12,
      digest.allSatisfy(\.isHexDigit)
    else { return nil }
    return "\(digest.prefix(12).lowercased())-p\(run.measurementProtocol)"
  }

  /// Returns the part of a key that stands for the model.
  static func model(ofKey key: String) -> Substring { key.prefix { $0 != "-" } }

  /// Returns the path of a suite's baseline for one model and protocol.
  package static func path(
    ofSuite suite: String, forModel key: String, in reports: String
  ) -> String {
    "\(reports)/baselines/\(suite)@\(key).jsonl"
  }

  /// Returns the paths of a baseline before and after its renewal.
  ///
  /// The renewed baseline is for one model if the old baseline was for one model. The paths then
  /// differ if the protocol has changed.
  static func paths(
    renewing old: BaselineFile, suite: String, by run: RunRecord, in reports: String
  ) -> (before: String, after: String) {
    let plain = path(ofSuite: suite, in: reports)
    guard let before = modelKey(of: old.run), let now = modelKey(of: run) else {
      return (plain, plain)
    }
    let keyed = path(ofSuite: suite, forModel: before, in: reports)
    guard FileManager.default.fileExists(atPath: keyed) else { return (plain, plain) }
    return (keyed, path(ofSuite: suite, forModel: now, in: reports))
  }

  /// Returns the paths of a suite's baselines.
  ///
  /// The first path is that of the baseline for any model; there may be no such file. The other
  /// paths are those of the baselines for single models.
  static func paths(ofSuite suite: String, in reports: String) -> [String] {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: "\(reports)/baselines")) ?? []
    let keyed = names.filter {
      $0.hasPrefix("\(suite)@") && $0.hasSuffix(".jsonl") && !isStray($0)
    }.sorted()
    return [path(ofSuite: suite, in: reports)] + keyed.map { "\(reports)/baselines/\($0)" }
  }
}

extension SuiteBaseline {
  /// Reads all accepted baselines of a suite, for any model and for single models.
  package static func all(
    acceptedFor suite: String, in reports: String
  ) throws(SessionFailure) -> [SuiteBaseline] {
    var baselines: [SuiteBaseline] = []
    for path in BaselineFile.paths(ofSuite: suite, in: reports) {
      guard var baseline = try SuiteBaseline(suite: suite, path: path) else { continue }
      if path != BaselineFile.path(ofSuite: suite, in: reports) {
        guard
          let key = BaselineKind(of: baseline.run) == .recorded
            ? BaselineKind.recorded.rawValue : BaselineFile.modelKey(of: baseline.run)
        else { continue }
        baseline.modelKey = key
      }
      baselines.append(baseline)
    }
    return baselines
  }
}

extension [SuiteBaseline] {
  /// Returns one baseline for each suite: the baseline for the run's model and protocol or, if
  /// there is none, the model's newest baseline under another protocol or, if there is none either,
  /// the baseline for any model.
  ///
  /// A baseline under another protocol can't be compared, but a run that ignored it would pass
  /// without a comparison after an update of Assay. Imported answers are only compared with
  /// imported answers.
  package func matching(_ run: RunRecord) -> [SuiteBaseline] {
    let isRecorded = BaselineKind(of: run) == .recorded
    let key = isRecorded ? BaselineKind.recorded.rawValue : BaselineFile.modelKey(of: run)
    var suites: [String] = []
    for baseline in self where !suites.contains(baseline.suite) { suites.append(baseline.suite) }
    return suites.compactMap { suite in
      let own = filter { $0.suite == suite }
      let ofModel = own.filter { baseline in
        guard let key, let modelKey = baseline.modelKey else { return false }
        return BaselineFile.model(ofKey: modelKey) == BaselineFile.model(ofKey: key)
      }
      return ofModel.first { $0.modelKey == key }
        ?? ofModel.max { $0.run.measurementProtocol < $1.run.measurementProtocol }
        ?? own.first {
          $0.modelKey == nil && (!isRecorded || BaselineKind(of: $0.run) == .recorded)
        }
    }
  }
}
