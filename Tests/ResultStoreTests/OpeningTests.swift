import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("Opening a database")
struct OpeningTests {
  private func check(
    _ path: String, access: ResultStore.Access = .writing, _ expected: StoreError.Problem,
    reason: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try ResultStore(path: path, access: access)
      Issue.record("the database was opened", sourceLocation: sourceLocation)
    } catch let error as StoreError {
      #expect(error.problem == expected, sourceLocation: sourceLocation)
      #expect(error.path == path, sourceLocation: sourceLocation)
      if let reason { #expect(error.reason.contains(reason), sourceLocation: sourceLocation) }
      #expect("\(error)".hasPrefix(path), sourceLocation: sourceLocation)
    } catch {
      Issue.record("an unexpected error: \(error)", sourceLocation: sourceLocation)
    }
  }

  @Test("if no database can be opened at a path, the error gives the reason")
  func unwritablePlaces() throws {
    let folder = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/file"))
    check(folder.path + "/none/results.sqlite", .cannotOpen, reason: "there is no folder")
    check(folder.path + "/file/results.sqlite", .cannotOpen, reason: "is not a folder")
    check(folder.path, .cannotOpen, reason: "this is a folder")
    check(folder.database, access: .reading, .cannotOpen, reason: "no such file")
    #if os(Linux)
      check("/proc/results.sqlite", .cannotOpen)
    #endif
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test("a damaged file is reported and left unchanged", arguments: [true, false])
  func damagedFile(isReading: Bool) throws {
    let folder = try TemporaryFolder()
    let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try bytes.write(to: URL(fileURLWithPath: folder.database))
    check(folder.database, access: isReading ? .reading : .writing, .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == bytes)
  }

  @Test("a truncated file is reported when it is read")
  func truncatedFile() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try ResultStore(path: folder.database)
      let run = try store.beginRun(sampleRun())
      for number in 0..<200 { try store.append(sampleAttempt(number), run: run.id) }
      _ = try readRows("PRAGMA wal_checkpoint(TRUNCATE)", in: folder.database)
    }
    let url = URL(fileURLWithPath: folder.database)
    let whole = try Data(contentsOf: url)
    try whole.prefix(whole.count / 2 / 4096 * 4096).write(to: url)
    do {
      let store = try ResultStore(path: folder.database, access: .reading)
      let problems = try store.integrityProblems()
      #expect(!problems.isEmpty)
    } catch let error as StoreError {
      #expect(error.problem == .damaged)
    }
  }

  @Test("another program's database is left unchanged")
  func foreignFile() throws {
    let folder = try TemporaryFolder()
    _ = try? ResultStore(path: folder.path + "/other.sqlite")
    try Data().write(to: URL(fileURLWithPath: folder.database))
    _ = try readRows("CREATE TABLE notes (body TEXT)", in: folder.database)
    check(folder.database, .foreign)
    check(folder.database, access: .reading, .foreign)
    #expect(
      try readRows("SELECT name FROM sqlite_schema", in: folder.database) == ["notes"])
  }

  @Test("a newer file is rejected for writing but can be read")
  func newerFile() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try ResultStore(path: folder.database)
      _ = try store.beginRun(sampleRun())
    }
    _ = try readRows("PRAGMA user_version = 99", in: folder.database)
    check(folder.database, .newer(version: 99, supported: ResultStore.format))
    #expect(try ResultStore(path: folder.database, access: .reading).runIDs() == [1])
  }

  @Test("the file records its application and format, is in WAL mode, and has only strict tables")
  func fileIsMarked() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    // The number consists of the bytes of “ASAY”.
    #expect(try readRows("PRAGMA application_id", in: folder.database) == ["1095975257"])
    #expect(try readRows("PRAGMA user_version", in: folder.database) == ["\(ResultStore.format)"])
    #expect(try readRows("PRAGMA journal_mode", in: folder.database) == ["wal"])
    #expect(
      try readRows(
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 "
          + "AND name NOT LIKE 'sqlite_%'", in: folder.database) == [])
    _ = store
  }

  @Test("if the disk is full, storing an attempt throws an error, and no stored attempt is lost")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    try store.append(sampleAttempt(0), run: run.id)
    try store.limitPagesForTesting(to: 80)
    var stored = 1
    do {
      for number in 1..<5_000 {
        try store.append(
          sampleAttempt(number, output: String(repeating: "\(number) ", count: 400)), run: run.id)
        stored += 1
      }
      Issue.record("the disk was never full")
    } catch let error as StoreError {
      #expect(error.problem == .full)
    }
    #expect(try store.attempts(run: run.id).count == stored)
    #expect(try store.integrityProblems() == [])
  }
}
