import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("Runs and baselines")
struct RunTests {
  @Test("a run counts as interrupted only after its process has ended")
  func abandonedRunIsInterrupted() throws {
    let folder = try TemporaryFolder()
    var first: ResultStore? = try ResultStore(path: folder.database)
    let run = try #require(try first?.beginRun(sampleRun()))
    // Other stores see the run as running, whether they read or write.
    let reader = try ResultStore(path: folder.database, access: .reading)
    let writer = try ResultStore(path: folder.database)
    for store in [first, reader, writer] {
      #expect(try store?.run(run.id).status == .running)
    }
    #expect(try readRows("SELECT status FROM run", in: folder.database) == ["running"])
    #expect(throws: StoreError(.runIsActive(run.id), path: folder.database)) {
      try writer.resumeRun(run.id)
    }
    #expect(throws: StoreError(.runIsActive(run.id), path: folder.database)) {
      try writer.deleteRuns([run.id])
    }
    // The first store closes without finishing the run, as it does when its process ends.
    first = nil
    #expect(try reader.run(run.id).status == .interrupted)
    #expect(try reader.latestRun(matching: .init(status: .interrupted))?.id == run.id)
    #expect(try reader.latestRun(matching: .init(status: .running)) == nil)
    _ = try ResultStore(path: folder.database)
    #expect(try readRows("SELECT status FROM run", in: folder.database) == ["interrupted"])
    // The interrupted run can be resumed.
    #expect(try writer.resumeRun(run.id).status == .running)
    try writer.append(sampleAttempt(0), run: run.id)
    try writer.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
    #expect(try reader.run(run.id).status == .complete)
  }

  @Test("the latest run that matches a filter is found")
  func latestRunIsFound() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    #expect(try store.latestRun() == nil)
    for (label, status) in [
      ("nightly", RunRecord.Status.complete), ("nightly", .interrupted), ("local", .complete),
    ] {
      let run = try store.beginRun(sampleRun(label: label))
      try store.finishRun(run.id, status: status, at: "2026-11-20T02:00:00Z")
    }
    func check(_ filter: RunFilter, _ expected: Int?) throws {
      #expect(try store.latestRun(matching: filter)?.id == expected)
    }
    try check(.init(), 3)
    try check(.init(label: "nightly"), 2)
    try check(.init(label: "nightly", status: .complete), 1)
    try check(.init(before: 3), 2)
    try check(.init(suite: "ants", backend: "stub"), 3)
    try check(.init(suite: "none"), nil)
    try check(.init(commit: "abc", before: 1), nil)
    #expect(try store.runIDs() == [1, 2, 3])
    #expect(throws: StoreError(.noSuchRun(9), path: folder.database)) { try store.run(9) }
    #expect(throws: StoreError(.noSuchRun(9), path: folder.database)) {
      try store.attempts(run: 9)
    }
    #expect(throws: StoreError(.noSuchRun(9), path: folder.database)) {
      try store.finishRun(9, status: .complete, at: "")
    }
  }

  @Test("a run keeps copies of its references, and equal copies are stored once")
  func referencesAreKept() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    for _ in 0..<3 {
      let run = try store.beginRun(sampleRun())
      try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
    }
    let copy = try keepReference(of: "ants", reason: "first", inRun: 2, store)
    try keepReference(of: "ants", reason: "first", inRun: 3, store)
    #expect(try store.references(ofRun: 1).isEmpty)
    #expect(try store.references(ofRun: 2) == ["ants": copy])
    #expect(try store.run(3).details.references?.map(\.suite) == ["ants"])
    #expect(
      try readRows("SELECT count(DISTINCT copy_text) FROM reference", in: folder.database) == ["1"])
    func check(_ suite: String, before run: Int, _ expected: ReferenceRemark?) throws {
      #expect(try store.pastBaseline(of: suite, before: run) == expected)
    }
    try check("ants", before: 4, .baselineFileIsGone(comparedRun: 3))
    try check("ants", before: 3, .baselineFileIsGone(comparedRun: 2))
    try check("ants", before: 2, nil)
    try check("bees", before: 4, nil)
    // The last acceptance replaces earlier ones, and leaves those of other suites.
    for (suite, time) in [("ants", "2026-11-21"), ("bees", "2026-11-22"), ("ants", "2999-01-01")] {
      try store.noteAcceptance(ofRun: 1, for: [suite], at: time)
    }
    #expect(try store.run(1).details.acceptances == ["ants": "2999-01-01", "bees": "2026-11-22"])
    try check("ants", before: 4, .acceptedFileIsGone(run: 1))
    try check("bees", before: 2, .acceptedFileIsGone(run: 1))
    try check("bees", before: 1, nil)
  }

  @Test(
    "deleting a run removes its attempts, references and unshared texts")
  func deletingTakesEverything() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    for number in 0..<2 {
      let run = try store.beginRun(sampleRun())
      try store.append(sampleAttempt(0, output: "shared"), run: run.id)
      try store.append(sampleAttempt(1, output: "own \(number)"), run: run.id)
      try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
    }
    let gone = try keepReference(of: "ants", reason: "first", inRun: 1, store)
    let kept = try keepReference(of: "ants", reason: "second", inRun: 2, store)
    try store.deleteRuns([1])
    #expect(try store.runIDs() == [2])
    let bodies = try readRows("SELECT body FROM text", in: folder.database)
    #expect(bodies.contains("shared") && bodies.contains("own 1") && !bodies.contains("own 0"))
    #expect(bodies.contains(kept) && !bodies.contains(gone))
    for (table, rows) in [("attempt", 2), ("verdict", 4), ("decision", 6)] {
      #expect(
        try readRows("SELECT count(*) FROM \(table)", in: folder.database) == ["\(rows)"])
    }
    #expect(try store.attempts(run: 2).count == 2)
    #expect(try store.integrityProblems() == [])
    // Ids are not reused, and a deleted text can be stored again.
    let run = try store.beginRun(sampleRun())
    #expect(run.id == 3)
    try store.append(sampleAttempt(1, output: "own 0"), run: run.id)
    #expect(try store.attempts(run: 3)[0].output == "own 0")
  }

  @Test("several tasks may append to a run concurrently")
  func tasksAppendAtOnce() async throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            try store.append(
              sampleAttempt(worker * 50 + number, hasTrace: false), run: run.id)
          }
        }
      }
      try await group.waitForAll()
    }
    let stored = try store.attempts(run: run.id)
    #expect(stored.count == 200)
    #expect(Set(stored) == Set((0..<200).map { sampleAttempt($0, hasTrace: false) }))
  }

  @Test("three stores can write to one file at the same time")
  func threeStoresWrite() async throws {
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          let store = try ResultStore(path: folder.database)
          let run = try store.beginRun(sampleRun())
          for number in 0..<40 { try store.append(sampleAttempt(number), run: run.id) }
          try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
          return run.id
        }
      }
      var ids: [Int] = []
      for try await id in group { ids.append(id) }
      #expect(ids.sorted() == [1, 2, 3])
    }
    let store = try ResultStore(path: folder.database, access: .reading)
    for id in 1...3 { #expect(try store.attempts(run: id).count == 40) }
    #expect(try store.runs().map(\.status) == [.complete, .complete, .complete])
  }
}
