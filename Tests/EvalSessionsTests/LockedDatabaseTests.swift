import EvalRecords
import EvalSuites
import Foundation
import Synchronization
import Testing

@testable import EvalSessions
@testable import ResultStore

@Suite("An evaluation whose database is locked")
struct LockedDatabaseTests {
  /// A second connection, which locks a database.
  private final class Lock: Sendable {
    private let connection: Mutex<Connection>

    init(_ database: String) throws {
      connection = Mutex(try Connection(path: database, isReadOnly: false, waiting: LockWait()))
      try connection.withLock { try $0.run("BEGIN EXCLUSIVE") }
    }

    func release() throws { try connection.withLock { try $0.run("ROLLBACK") } }
  }

  @Test(
    "cancelling it loses no finished attempt, and resuming the run adds them and makes the rest")
  func cancelled() async throws {
    let lab = try EvaluationTests.Lab()
    let suites = try lab.suites()
    let lock = Mutex<Lock?>(nil)
    let (locked, continuation) = AsyncStream<Void>.makeStream()
    let evaluation = lab.evaluation(lab.settings) { event in
      guard case .finished = event else { return }
      lock.withLock { $0 = $0 ?? (try? Lock(lab.settings.database)) }
      continuation.finish()
    }
    let task = Task { try await evaluation.run(suites) }
    for await _ in locked {}
    task.cancel()
    let failure = await #expect(throws: SessionFailure.self) { _ = try await task.value }
    try lock.withLock { try $0?.release() }
    let files = PendingAttempts.files(beside: lab.settings.database)
    if !files.isEmpty {
      #expect(failure?.kind == .interrupted)
      #expect(failure?.messages.first?.contains("in \(files[0])") == true)
    }

    lab.events.withLock { $0 = [] }
    var more = lab.settings
    more.resume = 1
    let whole = try await lab.evaluation(more).run(suites)
    #expect(whole.run.status == .complete)
    #expect(whole.attempts.count == 4)
    #expect(Set(whole.attempts.map(\.key)).count == 4)
    let events = lab.events.withLock(\.self)
    #expect(events.contains("added attempts of run 1") == !files.isEmpty, "\(events)")
    #expect(PendingAttempts.files(beside: lab.settings.database) == [])
  }

  /// Returns a store with a run that has begun, and attempts of the run that are not stored.
  private func begun(
    in lab: EvaluationTests.Lab, limit: Double
  ) async throws -> (store: ResultStore, run: RunRecord, attempts: [AttemptRecord]) {
    let outcome = try await lab.evaluation(lab.settings).run(try lab.suites())
    let store = try openStore(lab.settings.database, waiting: LockWait(limit: limit))
    return (store, try store.beginRun(outcome.run), outcome.attempts)
  }

  private func sink(
    _ store: ResultStore, _ run: RunRecord, onEvent: @escaping Evaluation.EventHandler = { _ in }
  ) -> AttemptSink {
    AttemptSink(
      store: store, run: run, keeper: AttemptKeeper(suites: run.suites, budget: 0, done: []),
      onEvent: onEvent)
  }

  @Test("the sink stores attempts in order and emits each of them after it is stored")
  func stored() async throws {
    let lab = try EvaluationTests.Lab()
    let (store, run, attempts) = try await begun(in: lab, limit: 60)
    let seen = Mutex<[Bool]>([])
    let sink = sink(store, run) { event in
      guard case .finished(let attempt) = event else { return }
      let stored = try? store.attempts(run: run.id).last
      seen.withLock { $0.append(stored?.key == attempt.key) }
    }
    for attempt in attempts { sink.add(attempt) }
    #expect(try sink.end().map(\.key) == attempts.map(\.key))
    #expect(seen.withLock(\.self) == [true, true, true, true])
    #expect(PendingAttempts.files(beside: store.path) == [])
  }

  @Test("a sink that can't store an attempt keeps it and every later one, but no skipped attempts")
  func pending() async throws {
    let lab = try EvaluationTests.Lab()
    let (store, run, attempts) = try await begun(in: lab, limit: 0)
    let count = Mutex(0)
    let sink = sink(store, run) { _ in count.withLock { $0 += 1 } }
    sink.add(attempts[0])
    let lock = try Lock(lab.settings.database)
    sink.add(attempts[1])
    try lock.release()
    // The database accepts attempts again, but the order of the attempts would change.
    sink.add(attempts[2])
    var skipped = attempts[3]
    skipped.outcome = .skipped
    sink.add(skipped)
    #expect(count.withLock(\.self) == 1, "only a stored attempt is an event")
    let failure = #expect(throws: SessionFailure.self) { _ = try sink.end() }
    let file = "\(store.path).pending-\(run.id).jsonl"
    #expect(failure?.kind == .cannotRun)
    #expect(
      failure?.messages.first?.hasSuffix(
        "; 2 finished attempts of run \(run.id) are in \(file), and the next command that writes to "
          + "the database adds them") == true)
    let next = try openStore(store.path)
    #expect(next.pendingAdded.map(\.attempts) == [2])
    #expect(try next.attempts(run: run.id).map(\.key) == attempts.prefix(3).map(\.key))
  }

  @Test("if not even the file can be written, the failure says how many attempts are lost")
  func lost() async throws {
    let lab = try EvaluationTests.Lab()
    let (store, run, attempts) = try await begun(in: lab, limit: 0)
    let lock = try Lock(lab.settings.database)
    let sink = sink(store, run)
    sink.add(attempts[0])
    try FileManager.default.removeItem(atPath: lab.folder + "/reports")
    let failure = #expect(throws: SessionFailure.self) { _ = try sink.end() }
    #expect(
      failure?.messages.first?.contains(
        "; 1 finished attempt of run \(run.id) could not be kept: ") == true)
    try lock.release()
  }
}
