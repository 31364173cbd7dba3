import EvalRecords
import Foundation
import ResultStore
import Testing

@Suite("Archives")
struct ArchiveTests {
  /// Returns the folder of a database with three complete runs.
  ///
  /// First, a suite of the second run was accepted as a baseline, and then the whole first run.
  private func filled() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    for label in ["nightly", "local", "nightly"] {
      let run = try store.beginRun(sampleRun(label: label))
      for number in 0..<6 { try store.append(sampleAttempt(number), run: run.id) }
      var odd = sampleAttempt(7)
      odd.duration = .nan
      odd.decisions[0].options[0].raw = -.infinity
      try store.append(odd, run: run.id)
      try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:0\(run.id)Z")
    }
    try store.acceptBaseline(run: 2, suites: ["ants"], reason: "first", at: "2026-11-20T03:00:00Z")
    try store.acceptBaseline(run: 1, reason: "=1+1", at: "2026-11-20T04:00:00Z")
    return folder
  }

  private func lines(_ store: ResultStore, _ ids: [Int]? = nil) throws -> [String] {
    var lines: [String] = []
    try store.exportArchive(runs: try ids ?? store.runIDs()) { lines.append($0) }
    return lines
  }

  @Test("an archive that is imported into a new database and exported again has the same bytes")
  func roundTrip() throws {
    let folder = try filled()
    let first = try lines(try ResultStore(path: folder.database, access: .reading))
    // The lines are a header, three runs with seven attempts each, and six baselines.
    #expect(first.count == 1 + 3 * 8 + 6)
    let other = try TemporaryFolder()
    let store = try ResultStore(path: other.database)
    let imported = try store.importArchive(first, name: "a.jsonl")
    #expect(imported.map(\.id) == [1, 2, 3])
    #expect(imported.allSatisfy { !$0.wasThere && $0.attempts == 7 })
    #expect(try lines(store) == first)
    #expect(try store.baselines().map(\.run) == [2, 2, 1, 1, 1, 1])
    #expect(try store.integrityProblems() == [])
    // The next run doesn't reuse an imported id.
    #expect(try store.beginRun(sampleRun()).id == 4)
  }

  @Test("an import doesn't add runs that the database already has, even if their ids differ")
  func importIsIdempotent() throws {
    let folder = try filled()
    let store = try ResultStore(path: folder.database)
    let all = try lines(store)
    #expect(try store.importArchive(all, name: "a").map(\.wasThere) == [true, true, true])
    #expect(try lines(store) == all)

    // If the database already has two other runs with ids 1 and 2, the imported runs get new ids. A
    // second import adds nothing.
    let other = try TemporaryFolder()
    let target = try ResultStore(path: other.database)
    for _ in 0..<2 {
      var run = sampleRun(label: "own")
      run.startedAt = "2026-11-19T00:00:00Z"
      let begun = try target.beginRun(run)
      try target.finishRun(begun.id, status: .complete, at: "2026-11-19T02:00:00Z")
    }
    for round in 0..<2 {
      let imported = try target.importArchive(all, name: "a")
      #expect(imported.map(\.id) == [3, 4, 5])
      #expect(imported.map(\.wasThere) == [Bool](repeating: round == 1, count: 3))
      #expect(try target.baselines().map(\.run) == [4, 4, 3, 3, 3, 3])
    }
    #expect(try target.runIDs() == [1, 2, 3, 4, 5])
  }

  @Test("a run that was in progress becomes interrupted when it is imported")
  func runningIsInterrupted() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    try store.append(sampleAttempt(0), run: run.id)
    let other = try TemporaryFolder()
    let target = try ResultStore(path: other.database)
    try target.importArchive(try lines(store), name: "a")
    #expect(try store.run(1).status == .running)
    #expect(try target.run(1).status == .interrupted)
    #expect(try target.attempts(run: 1) == [sampleAttempt(0)])
  }

  @Test(
    "an archive with a bad line is rejected as a whole, and the error gives a position",
    // Line 1 is the header, line 2 the first run, line 3 its first attempt, and line 27 a baseline.
    arguments: [
      (1, nil, "", "not JSON"), (1, nil, #"{"assay":"results","version":9}"#, "version 1"),
      (1, nil, #"{"assay":"baseline","version":1}"#, "assay export"),
      (2, nil, "{", "not JSON"), (2, nil, "[]", "an object"),
      (2, nil, #"{"runs":{}}"#, "`runs` is unknown"),
      (2, "\"label\"", "\"lable\"", "run: the record lacks label"),
      (3, "\"outcome\":\"fail\"", "\"outcome\":\"failed\"", "outcome"),
      (3, "\"case-0\"", "\"case-9\"", "its run doesn't have"),
      (3, "\"case-0\"", "\"case-1\"", "already"),
      (27, "\"run\":2", "\"run\":9", "run 9"), (27, "ants", "bees", "doesn't have"),
    ] as [(Int, String?, String, String)])
  func badLines(line: Int, part: String?, other: String, words: String) throws {
    let folder = try filled()
    var all = try lines(try ResultStore(path: folder.database, access: .reading))
    let sound = all[line - 1]
    all[line - 1] = part.map { sound.replacing($0, with: other) } ?? other
    #expect(all[line - 1] != sound, "the edit must change the line")
    let target = try TemporaryFolder()
    let store = try ResultStore(path: target.database)
    do {
      try store.importArchive(all, name: "a.jsonl")
      Issue.record("line \(line) was imported")
    } catch let error as ArchiveError {
      #expect(error.description.hasPrefix("a.jsonl:"))
      #expect(error.line >= line && error.line <= line + 8, "\(error)")
      #expect(error.problem.contains(words), "\(error)")
    }
    #expect(try store.runIDs() == [])
    #expect(try readRows("SELECT count(*) FROM text", in: target.database) == ["0"])
  }
}
