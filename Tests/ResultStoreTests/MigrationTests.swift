import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

/// Tests the migration of files in earlier formats.
///
/// For each earlier format, `Tests/Fixtures` contains a file from a release that used the format.
@Suite("Files of older formats")
struct MigrationTests {
  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// Copies the fixture of a format to a new folder.
  ///
  /// The fixture has four runs: a baseline, a comparison of two variants, a run of the toy model
  /// with decisions and a trace, and a run whose process was killed.
  private func copy(ofFormat format: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Self.fixtures.appendingPathComponent("results-format\(format).sqlite"),
      to: URL(fileURLWithPath: folder.database))
    return folder
  }

  /// Returns all rows of each table, reduced to the columns of format 1 and read with plain SQL.
  private func rows(in path: String) throws -> [String: [String]] {
    let columns = [
      "run": "id, label, started_at, finished_at, tool_version, commit_id, comparison",
      "backend": "*", "variant": "*", "eval_case": "*", "verdict": "*", "decision": "*",
      "decision_option": "*", "trace": "*", "text": "*",
      "suite": "run_id, id, position, title, guards, file, schema_name, repeats, seed, tags, "
        + "options, gate, array_minimums",
      "attempt": "id, run_id, suite_id, variant_id, backend_id, case_id, repeat_index, seed, "
        + "outcome, stop_reason, failure_kind, failure_message, prompt_text, output_text, "
        + "prompt_tokens, output_tokens, forced_tokens, duration, constraint_pressure",
    ]
    var rows: [String: [String]] = [:]
    for (table, columns) in columns {
      rows[table] = try readRows("SELECT \(columns) FROM \(table) ORDER BY 1, 2", in: path)
    }
    return rows
  }

  @Test("a file in format 1 is migrated without loss, and a copy of the original is kept")
  func format1IsMigrated() throws {
    let folder = try copy(ofFormat: 1)
    let before = try rows(in: folder.database)
    #expect(before["attempt"]?.count == 30)
    let store = try ResultStore(path: folder.database)
    #expect(try rows(in: folder.database) == before)
    #expect(try store.integrityProblems() == [])
    #expect(
      try readRows("PRAGMA user_version", in: folder.database) == ["\(ResultStore.format)"])
    let backup = folder.database + ".format1.backup"
    #expect(try readRows("PRAGMA user_version", in: backup) == ["1"])
    #expect(try rows(in: backup) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.contains("backup") } == ["results.sqlite.format1.backup"])

    // The file can still be written.
    let run = try store.resumeRun(4)
    let attempt = try #require(try store.attempts(run: 1).last)
    #expect(run.details == RunDetails())
    try store.append(attempt, run: run.id)
    try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
  }

  @Test("the records in a database of format 1 equal those in the baseline file of that format")
  func format1IsRead() throws {
    let folder = try copy(ofFormat: 1)
    let file = try Data(
      contentsOf: Self.fixtures.appendingPathComponent("baseline-format1.jsonl"))
    struct Header: Decodable { let run: RunRecord }
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    let expected = try JSONDecoder().decode(Header.self, from: Data(lines[0].utf8)).run
    let attempts = try lines.dropFirst().map {
      try JSONDecoder().decode(AttemptRecord.self, from: Data($0.utf8))
    }.withFacts(of: expected.suites)
    for access in [ResultStore.Access.reading, .writing] {
      let store = try ResultStore(path: folder.database, access: access)
      #expect(try store.run(1) == expected)
      let stored = try store.attempts(run: 1, .init(includesTraces: false)).map { attempt in
        var attempt = attempt
        attempt.renderedPrompt = ""
        return attempt
      }
      #expect(Set(stored) == Set(attempts))
      #expect(
        try store.run(2).comparison
          == VariantComparison(
            baseline: "default", candidates: ["silent"], margin: 0.01, alpha: 0.05))
      #expect(try store.attempts(run: 3).map(\.trace.isEmpty) == [false])
      #expect(try store.attempts(run: 3)[0].decisions.count > 3)
      #expect(try store.run(4).status == .interrupted)
      #expect(try store.references(ofRun: 1).isEmpty)
    }
  }

  @Test("a reader leaves an older file unchanged")
  func readerChangesNothing() throws {
    let folder = try copy(ofFormat: 1)
    let url = URL(fileURLWithPath: folder.database)
    let bytes = try Data(contentsOf: url)
    let store = try ResultStore(path: folder.database, access: .reading)
    #expect(try store.runs().count == 4)
    #expect(try Data(contentsOf: url) == bytes)
    #expect(!FileManager.default.fileExists(atPath: folder.database + ".format1.backup"))
  }

  @Test("a migrated file has the tables, indices and views of a new one")
  func migratedIsLikeNew() throws {
    let folder = try copy(ofFormat: 1)
    _ = try ResultStore(path: folder.database)
    let new = folder.path + "/new.sqlite"
    _ = try ResultStore(path: new)
    let query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    #expect(try readRows(query, in: folder.database) == readRows(query, in: new))
  }

  @Test("a migration step that fails leaves the file in its old format", arguments: [true, false])
  func failedStep(isBackupBlocked: Bool) throws {
    let folder = try copy(ofFormat: 1)
    if isBackupBlocked {
      let blocked = "\(folder.database).format1.backup"
      try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
    } else {
      // The migration step creates a table of this name.
      _ = try readRows("CREATE TABLE metric (x INTEGER) STRICT", in: folder.database)
    }
    let before = try rows(in: folder.database)
    #expect(throws: StoreError.self) { try ResultStore(path: folder.database) }
    #expect(try readRows("PRAGMA user_version", in: folder.database) == ["1"])
    #expect(try rows(in: folder.database) == before)
    #expect(
      try readRows("SELECT name FROM pragma_table_info('attempt')", in: folder.database)
        .contains("details") == false)
  }

  @Test("an old file that several tasks open at the same time is migrated only once")
  func migratedOnce() async throws {
    let folder = try copy(ofFormat: 1)
    let before = try rows(in: folder.database)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try ResultStore(path: folder.database) }
      }
      try await group.waitForAll()
    }
    #expect(try rows(in: folder.database) == before)
    #expect(
      try readRows("PRAGMA user_version", in: folder.database + ".format1.backup") == ["1"])
  }
}
