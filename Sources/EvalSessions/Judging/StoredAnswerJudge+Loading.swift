import EvalRecords
import EvalRunner
import EvalSuites

extension EvaluationContext {
  /// Returns a judge with the suites of a stored run, or `nil` if the files of no suite can be
  /// loaded.
  ///
  /// The files may have been edited since the run. So whoever uses the judge compares the
  /// assertions of its suites with those of the run.
  ///
  /// - Parameter run: The run, which has the places of its suites in the repository.
  package func judge(ofStored run: RunRecord) -> StoredAnswerJudge? {
    let root = WorkingCopy.root(around: workingDirectory) ?? workingDirectory
    let places = run.suites.compactMap { run.details.sources?[$0.id]?.file }.map { "\(root)/\($0)" }
    let own = registered.suites.map(\.id).filter { id in run.suites.contains { $0.id == id } }
    let names = Set(places.filter { FileReading.disk.kind($0) == .file }).sorted() + own
    guard !names.isEmpty else { return nil }
    let loaded = registered.load(names, environment: environment)
    guard loaded.problems.isEmpty else { return nil }
    return StoredAnswerJudge(suites: loaded.suites)
  }
}

extension StoredAnswerJudge {
  /// Creates a judge that runs no external programs.
  ///
  /// - Parameter suites: The suites.
  package init(suites: [Suite]) {
    self.init(RunPlan(suites: suites, backends: ["stored"]), commands: nil)
  }
}
