import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("Archives")
struct ArchiveTests {
  /// Returns the folder of a database with three runs that have ended.
  ///
  /// The second and the third run were compared with the same reference.
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
      // The run is a sample with only some of its planned attempts.
      try store.finishRun(run.id, status: .interrupted, at: "2026-11-20T02:00:0\(run.id)Z")
    }
    for run in 2...3 { try keepReference(of: "ants", reason: "=1+1", inRun: run, store) }
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
    // The lines are a header, three runs with seven attempts each, and one reference of two runs.
    #expect(first.count == 1 + 3 * 8 + 1)
    let other = try TemporaryFolder()
    let store = try ResultStore(path: other.database)
    let imported = try store.importArchive(first, name: "a.jsonl")
    #expect(imported.map(\.id) == [1, 2, 3])
    #expect(imported.allSatisfy { !$0.wasThere && $0.attempts == 7 })
    #expect(try lines(store) == first)
    #expect(try store.references(ofRun: 1).isEmpty)
    #expect(try store.references(ofRun: 3)["ants"]?.contains("=1+1") == true)
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
      #expect(try target.references(ofRun: 5).keys.sorted() == ["ants"])
    }
    #expect(try target.runIDs() == [1, 2, 3, 4, 5])
  }

  @Test("an acceptance that an older version exported is ignored")
  func oldAcceptance() throws {
    let folder = try filled()
    let store = try ResultStore(path: folder.database)
    let line =
      #"{"baseline":{"run":9,"suite":"ants","backend":"b","reason":"","acceptedAt":""}}"#
    let imported = try store.importArchive(try lines(store) + [line], name: "a")
    #expect(imported.map(\.wasThere) == [true, true, true])
  }

  @Test("a run is the same run whatever it was compared with")
  func otherReference() throws {
    let folder = try filled()
    let store = try ResultStore(path: folder.database)
    var run = try store.run(3)
    run.details.references = nil
    run.details.baselineRule = "main"
    let added = try store.add(run, try store.attempts(run: 3))
    #expect(added.wasThere && added.id == 3)
    run.label = "other"
    #expect(try !store.add(run, try store.attempts(run: 3)).wasThere)
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
    // Line 1 is the header, line 2 the first run, line 3 its first attempt, and line 10 a
    // reference.
    arguments: [
      (1, nil, "", "not JSON"), (1, nil, #"{"assay":"results","version":9}"#, "version 1"),
      (1, nil, #"{"assay":"baseline","version":1}"#, "assay export"),
      (2, nil, "{", "not JSON"), (2, nil, "[]", "an object"),
      (2, nil, #"{"runs":{}}"#, "`runs` is unknown"),
      (2, "\"label\"", "\"lable\"", "run: the record lacks label"),
      (3, "\"outcome\":\"fail\"", "\"outcome\":\"failed\"", "outcome"),
      (3, "\"case-0\"", "\"case-9\"", "its run doesn't have"),
      (3, "\"case-0\"", "\"case-1\"", "already"),
      (10, nil, #"{"reference":5}"#, "the text of a baseline file"),
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

  /// Returns a run of one test case with three repeats, and its attempts.
  private func small(
    _ status: RunRecord.Status, _ change: (inout RunRecord) -> Void = { _ in }
  ) -> (run: RunRecord, attempts: [AttemptRecord]) {
    var run = sampleRun(cases: 1)
    run.backends.removeLast()
    run.suites.removeLast()
    run.suites[0].variants.removeLast()
    run.status = status
    change(&run)
    return (run, (0..<3).map { sampleAttempt($0, cases: 1) })
  }

  @Test(
    "a complete run whose archive lost its last lines is imported as an interrupted one",
    arguments: [(0, .complete), (1, .interrupted), (3, .interrupted)]
      as [(Int, RunRecord.Status)])
  func lostLines(lost: Int, status: RunRecord.Status) throws {
    for original in [RunRecord.Status.complete, .interrupted] {
      let (run, attempts) = small(original) { $0.details.ending = "why" }
      let folders = [try TemporaryFolder(), try TemporaryFolder()]
      let store = try ResultStore(path: folders[0].database)
      _ = try store.add(run, attempts)
      let target = try ResultStore(path: folders[1].database)
      let imported = try target.importArchive(try lines(store).dropLast(lost), name: "a")
      #expect(imported.map(\.lost) == [original == .complete ? lost : 0])
      let read = try target.run(1)
      #expect(read.status == (original == .complete ? status : .interrupted))
      let isChanged = original == .complete && lost > 0
      #expect(
        read.details.ending
          == (isChanged
            ? "the imported file lacks \(lost == 1 ? "1 attempt" : "\(lost) attempts")" : "why"))
      let again = try target.importArchive(try lines(store).dropLast(lost), name: "a")
      #expect(again.map(\.wasThere) == [true])
    }
  }

  @Test("an attempt that a suite's settings don't plan is not missing, and a skipped one is there")
  func plannedAttempts() throws {
    var (run, attempts) = small(.complete)
    #expect(run.plannedAttempts(missingIn: attempts) == (3, 0))
    attempts[2].outcome = .skipped
    #expect(run.plannedAttempts(missingIn: attempts) == (3, 0))
    var settings = CaseSettings()
    settings.repeats = 2
    run.suites[0].details.cases = ["case-0": settings]
    #expect(run.plannedAttempts(missingIn: Array(attempts.prefix(2))) == (2, 0))
    run.suites[0].details.fresh = FreshBlock(firstRepeat: 3, repeats: 2, seed: 1)
    #expect(run.plannedAttempts(missingIn: attempts) == (4, 1))
    // A log may have fewer answers to one variant than to another.
    run.backends[0].id = BackendRecord.recordedID
    run.backends[0].engine = "recorded"
    for index in attempts.indices { attempts[index].key.backend = BackendRecord.recordedID }
    #expect(run.plannedAttempts(missingIn: Array(attempts.prefix(1))) == (1, 0))
    #expect(run.plannedAttempts(missingIn: []) == (1, 1))
  }

  @Test("the models of an imported run are those that answered its attempts")
  func servedModels() throws {
    var (run, attempts) = small(.complete) {
      var use = ServedUse(address: "a")
      use.models = ["m2": 1]
      $0.details.served = ["local": use]
    }
    for (index, model) in ["m1", "m1", "m2"].enumerated() {
      attempts[index].details.served = ServedAnswer()
      attempts[index].details.served?.model = model
    }
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    #expect(try !store.add(run, attempts).wasThere)
    // An archive of an earlier version has other counts of the same run.
    var earlier = try store.run(1)
    earlier.details.served = run.details.served
    #expect(try store.add(earlier, try store.attempts(run: 1)).wasThere)
    #expect(try store.run(1).details.served?["local"]?.models == ["m1": 2, "m2": 1])
    // The end of a process that continued the run.
    run = try store.beginRun(run)
    let ended = try store.add(
      evaluations: [:], served: ["local": ServedUse(address: "a")], attempts: attempts,
      toRun: run.id)
    #expect(ended.details.served?["local"]?.models == ["m1": 2, "m2": 1])
  }
}
