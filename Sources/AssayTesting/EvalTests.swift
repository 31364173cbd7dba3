public import EvalRecords
import EvalRunner
public import EvalSessions
public import EvalSuites
public import GuidedGeneration
import Synchronization
public import Testing

/// A suite inside Swift Testing: one test for each case.
///
///     import AssayTesting
///     import Testing
///
///     let flashcardTests = EvalTests(flashcards)
///
///     @Test("Flashcards", arguments: flashcardTests.cases)
///     func flashcards(evalCase: EvalCase) async {
///       await evalCase.check()
///     }
///
/// Each failed assertion is an issue with its path, what was expected and what was there. A suite that
/// can't be loaded is one case, which fails with the reasons: nothing passes because nothing ran.
public struct EvalTests: Sendable {
  /// The cases, in the order of the suite.
  public let cases: [EvalCase]
  private let session: EvalTestSession?

  /// Makes the tests of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - backend: Who answers; the stub where nothing is given.
  ///   - repeats: Attempts per case; nil for what the suite says.
  ///   - passRate: The share of a case's attempts that must pass.
  ///   - timeLimit: How long an answer may take; nil for no limit.
  public init(
    _ suite: SwiftSuite, on backend: any EvalBackend = EvalBackends.stub, repeats: Int? = nil,
    passRate: Double = 1, timeLimit: Duration? = nil
  ) {
    self.init(
      suite.load(), name: suite.id, backend, repeats: repeats, passRate: passRate,
      timeLimit: timeLimit)
  }

  /// Makes the tests of a suite file.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory, which is the package's folder in tests.
  ///   - types: Types that the suite generates by name.
  ///   - backend: Who answers; the stub where nothing is given.
  ///   - repeats: Attempts per case; nil for what the suite says.
  ///   - passRate: The share of a case's attempts that must pass.
  ///   - timeLimit: How long an answer may take; nil for no limit.
  public init(
    suiteFile path: String, types: [any Generable.Type] = [],
    on backend: any EvalBackend = EvalBackends.stub, repeats: Int? = nil, passRate: Double = 1,
    timeLimit: Duration? = nil
  ) {
    let schemas = Dictionary(
      types.map { (String(describing: $0), $0.generationSchema) }, uniquingKeysWith: { $1 })
    self.init(
      SuiteLoader(files: .disk, types: schemas).load([path]), name: path, backend,
      repeats: repeats, passRate: passRate, timeLimit: timeLimit)
  }

  private init(
    _ loaded: LoadedSuites, name: String, _ backend: any EvalBackend, repeats: Int?,
    passRate: Double, timeLimit: Duration?
  ) {
    guard loaded.problems.isEmpty, let suite = loaded.suites.first, loaded.suites.count == 1 else {
      var problems = loaded.problems.map(\.description)
      if problems.isEmpty { problems = ["`\(name)` is \(loaded.suites.count) suites, not one"] }
      session = nil
      cases = [EvalCase(suite: name, id: "cannot be loaded", work: .broken(problems))]
      return
    }
    var single = suite
    single.variants = Array(suite.variants.prefix(1))
    let plan = RunPlan(suites: [single], backends: [backend.record.id], repeats: repeats)
    let session = EvalTestSession(
      plan: plan, backend: backend,
      execution: PlanExecution(
        runner: Runner(timeLimit: timeLimit), clock: ContinuousClock()),
      passRate: passRate)
    self.session = session
    cases = plan.jobs.map {
      EvalCase(suite: suite.id, id: $0.request.caseID, work: .job($0, session))
    }
  }

  /// Compares all cases with the accepted baseline of the suite, and records an issue for each effect
  /// that regressed.
  ///
  /// Cases that have been checked are not run again. A comparison that could not be made is an issue
  /// too; an inconclusive effect is none.
  ///
  /// - Parameters:
  ///   - reports: The folder of reports; the baseline is in `baselines` below it.
  ///   - sourceLocation: Where issues are shown.
  public func checkBaseline(
    reports: String = "reports", sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard let session else {
      for evalCase in cases { await evalCase.check(sourceLocation: sourceLocation) }
      return
    }
    for issue in await session.regressions(reports: reports) {
      Issue.record("\(issue)", sourceLocation: sourceLocation)
    }
  }
}

/// One case of a suite, as the argument of a test.
public struct EvalCase: Sendable, CustomTestStringConvertible {
  /// What is done to check it.
  enum Work: Sendable {
    case job(RunPlan.Job, EvalTestSession)
    /// The suite can't be loaded, for these reasons.
    case broken([String])
  }

  /// The suite's id.
  public let suite: String
  /// The case's id.
  public let id: String
  let work: Work

  public var testDescription: String { "\(suite)/\(id)" }

  /// Runs the case with all its repeats, and records an issue for each assertion that failed.
  ///
  /// - Parameter sourceLocation: Where issues are shown.
  /// - Returns: The attempts, for further expectations.
  @discardableResult
  public func check(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [AttemptRecord] {
    switch work {
    case .broken(let problems):
      for problem in problems { Issue.record("\(problem)", sourceLocation: sourceLocation) }
      return []
    case .job(let job, let session):
      let attempts = await session.attempts(of: [job])
      for issue in session.issues(of: attempts) {
        Issue.record("\(issue)", sourceLocation: sourceLocation)
      }
      return attempts
    }
  }
}
