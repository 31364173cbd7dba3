import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("Storing and loading")
struct RoundTripTests {
  @Test("a run and its attempts are read back unchanged by another store")
  func recordsComeBack() throws {
    let folder = try TemporaryFolder()
    let attempts = (0..<9).map { sampleAttempt($0) }
    var expected: RunRecord
    do {
      let store = try ResultStore(path: folder.database)
      expected = try store.beginRun(sampleRun())
      #expect(expected.id == 1)
      #expect(expected.status == .running)
      for attempt in attempts { try store.append(attempt, run: expected.id) }
      try store.finishRun(expected.id, status: .complete, at: "2026-11-20T01:01:00Z")
    }
    expected.status = .complete
    expected.finishedAt = "2026-11-20T01:01:00Z"
    for access in [ResultStore.Access.reading, .writing] {
      let store = try ResultStore(path: folder.database, access: access)
      #expect(try store.run(expected.id) == expected)
      #expect(try store.runs() == [expected])
      #expect(try store.attempts(run: expected.id) == attempts)
      #expect(try store.integrityProblems() == [])
    }
  }

  @Test("strings that look alike but have different bytes stay distinct")
  func canonicallyEqualTextsStayApart() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    // In Swift, é as one scalar equals é as two scalars, but their bytes differ.
    try store.append(sampleAttempt(0, output: "\u{E9}"), run: run.id)
    try store.append(sampleAttempt(1, output: "e\u{301}"), run: run.id)
    let outputs = try store.attempts(run: run.id).map { Array($0.output.utf8) }
    #expect(outputs == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
  }

  @Test("a stored text that somebody altered doesn't become the text of a later attempt")
  func alteredText() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    try store.append(sampleAttempt(0, output: "right"), run: run.id)
    _ = try readRows("UPDATE text SET body = 'wrong' WHERE body = 'right'", in: folder.database)
    let other = try ResultStore(path: folder.database)
    try other.append(sampleAttempt(1, output: "right"), run: run.id)
    #expect(try other.attempts(run: run.id).last?.output == "right")
  }

  @Test("a duration of NaN is read back as NaN")
  func notANumberComesBack() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    var attempt = sampleAttempt(0)
    attempt.duration = .nan
    try store.append(attempt, run: run.id)
    #expect(try store.attempts(run: run.id)[0].duration.isNaN)
  }

  @Test("an unknown duration and an unknown pressure are null in the database, and come back as 0")
  func unknownNumbers() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    var record = sampleRun()
    record.backends.append(BackendRecord.stub(id: BackendRecord.recordedID))
    let run = try store.beginRun(record)
    var attempt = sampleAttempt(0, backend: BackendRecord.recordedID)
    (attempt.duration, attempt.constraintPressure, attempt.details.pressure) = (0, 0, nil)
    try store.append(attempt, run: run.id)
    #expect(
      try readRows(
        "SELECT count(*) FROM attempt WHERE duration IS NULL AND constraint_pressure IS NULL",
        in: folder.database) == ["1"])
    let stored = try store.attempts(run: run.id)[0]
    #expect(stored.duration == 0 && stored.constraintPressure == 0)
  }

  @Test("a filter selects attempts by suite, variant, backend, test case and outcome")
  func filterPicksAttempts() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    let attempts = [
      sampleAttempt(0), sampleAttempt(1, suite: "ants"), sampleAttempt(2, variant: "naive"),
      sampleAttempt(3, backend: "stub"), sampleAttempt(4, outcome: .pass),
    ]
    for attempt in attempts { try store.append(attempt, run: run.id) }
    func check(_ filter: AttemptFilter, _ expected: [Int]) throws {
      #expect(try store.attempts(run: run.id, filter) == expected.map { attempts[$0] })
    }
    try check(.init(suite: "ants"), [1])
    try check(.init(variant: "naive"), [2])
    try check(.init(backend: "stub"), [3])
    try check(.init(outcome: .pass), [4])
    try check(.init(caseID: "case-0"), [0, 3])
    try check(.init(suite: "none"), [])
    let light = try store.attempts(run: run.id, .init(caseID: "case-1", includesTraces: false))
    #expect(light.map(\.trace) == [[], []])
    #expect(light[0].decisions == attempts[1].decisions)
    #expect(try store.attemptCounts(run: run.id) == [.fail: 4, .pass: 1])
  }

  @Test("equal texts are stored once")
  func textsAreStoredOnce() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    for number in 0..<9 { try store.append(sampleAttempt(number, output: "same"), run: run.id) }
    let digests = try readRows("SELECT digest FROM text", in: folder.database)
    #expect(Set(digests).count == digests.count)
    // These are the variables, schema, empty instructions, prompt template, rendered prompt and
    // output.
    #expect(digests.count == 6)
  }

  @Test("an attempt can't be stored twice, but a skipped attempt can be replaced")
  func duplicatesAreRefused() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    try store.append(sampleAttempt(0, outcome: .skipped), run: run.id)
    try store.append(sampleAttempt(0, outcome: .pass), run: run.id)
    #expect(throws: StoreError(.duplicateAttempt, path: folder.database).ignoringReason) {
      try problem { try store.append(sampleAttempt(0), run: run.id) }
    }
    #expect(try store.attempts(run: run.id) == [sampleAttempt(0, outcome: .pass)])
  }

  @Test(
    "an attempt that names something its run doesn't have is rejected and leaves nothing behind")
  func unknownKeysAreRefused() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    for attempt in [
      sampleAttempt(0, suite: "x"), sampleAttempt(0, variant: "x"),
      sampleAttempt(0, backend: "x"), sampleAttempt(5, cases: 6),
    ] {
      #expect(throws: StoreError(.unknownAttemptKey, path: folder.database)) {
        try problem { try store.append(attempt, run: run.id) }
      }
    }
    #expect(try store.attempts(run: run.id) == [])
    #expect(try store.integrityProblems() == [])
    // The texts of the rejected attempts were rolled back, so they can be stored now.
    try store.append(sampleAttempt(0), run: run.id)
    #expect(try store.attempts(run: run.id) == [sampleAttempt(0)])
  }
}
