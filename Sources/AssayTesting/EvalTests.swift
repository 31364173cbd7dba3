public import EvalRecords
import EvalRunner
public import EvalSessions
public import EvalSuites
public import GuidedGeneration
import Synchronization
public import Testing

/// A suite for Swift Testing, which runs each test case as a separate test.
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
/// If too few attempts at a test case pass, the test records an issue for each failed assertion,
/// with the path, the expected value and the actual value. If the suite can't be loaded, there is a
/// single test case, which fails with the reasons. So the tests never pass just because nothing
/// ran.
public struct EvalTests: Sendable {
  /// The test cases, in the order of the suite.
  public let cases: [EvalCase]
  private let session: EvalTestSession?

  /// Creates the tests of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - backend: The backend that answers. The default is the stub.
  ///   - repeats: The number of attempts per test case, or `nil` for the numbers that the suite and
  ///     the test cases set.
  ///   - passRate: The share of a test case's attempts that must pass.
  ///   - timeLimit: The time limit for an answer, or `nil` for no limit.
  public init(
    _ suite: SwiftSuite, on backend: any EvalBackend = EvalBackends.stub, repeats: Int? = nil,
    passRate: Double = 1, timeLimit: Duration? = nil
  ) {
    self.init(
      suite.load(), name: suite.id, backend, repeats: repeats, passRate: passRate,
      timeLimit: timeLimit)
  }

  /// Creates the tests of a suite file.
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the working directory. In tests, the working directory
  ///     is the package's folder.
  ///   - types: The types that the suite file can name under `generates`.
  ///   - backend: The backend that answers. The default is the stub.
  ///   - repeats: The number of attempts per test case, or `nil` for the numbers that the suite and
  ///     the test cases set.
  ///   - passRate: The share of a test case's attempts that must pass.
  ///   - timeLimit: The time limit for an answer, or `nil` for no limit.
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
      if problems.isEmpty {
        problems = ["`\(name)` has \(loaded.suites.count) suites; name one suite"]
      }
      session = nil
      cases = [EvalCase(suite: name, id: "can't be loaded", work: .broken(problems))]
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

  /// Compares all test cases with the accepted baseline of the suite, and records an issue for each
  /// effect that regressed.
  ///
  /// Test cases that have already been checked don't run again. If the comparison is impossible,
  /// the method records the reasons as issues. An inconclusive effect is not an issue.
  ///
  /// - Parameters:
  ///   - reports: The folder of reports, which contains `baselines`.
  ///   - sourceLocation: The source location of the issues.
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

/// One test case of a suite, as the argument of a test.
public struct EvalCase: Sendable, CustomTestStringConvertible {
  /// The work that ``check(sourceLocation:)`` does.
  enum Work: Sendable {
    case job(RunPlan.Job, EvalTestSession)
    /// The suite can't be loaded, for the given reasons.
    case broken([String])
  }

  /// The suite's id.
  public let suite: String
  /// The test case's id.
  public let id: String
  let work: Work

  /// The name of the test case in test reports: `suite/id`.
  public var testDescription: String { "\(suite)/\(id)" }

  /// Runs the test case with all its repeats, and records an issue for each failed assertion if too
  /// few attempts pass.
  ///
  /// - Parameter sourceLocation: The source location of the issues.
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
