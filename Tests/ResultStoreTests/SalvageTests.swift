import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("Salvaging a damaged database")
struct SalvageTests {
  private static let attempts = 120

  private func filled() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    for _ in 0..<2 {
      let run = try store.beginRun(sampleRun(cases: 40))
      try store.append(
        (0..<Self.attempts).map { sampleAttempt($0, cases: 40) }, run: run.id)
      try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
    }
    try keepReference(of: "ants", reason: "good", inRun: 2, store)
    _ = try readRows("PRAGMA wal_checkpoint(TRUNCATE)", in: folder.database)
    return folder
  }

  /// Salvages a damaged file, and checks that incomplete runs become interrupted and that losses
  /// are reported.
  ///
  /// - Returns: The number of attempts that were saved completely.
  @discardableResult
  private func checkSalvage(
    _ damaged: Data, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.database)
    try damaged.write(to: url)
    let target = try ResultStore(path: folder.path + "/new.sqlite")
    let report: SalvageReport
    do {
      report = try ResultStore.salvage(from: folder.database, into: target)
    } catch let error as StoreError where error.problem == .damaged || error.problem == .foreign {
      return 0
    }
    #expect(try Data(contentsOf: url) == damaged, "\(what)", sourceLocation: sourceLocation)
    #expect(try target.integrityProblems() == [], "\(what)", sourceLocation: sourceLocation)
    let whole = Set((0..<Self.attempts).map { sampleAttempt($0, cases: 40) })
    var saved = 0
    for run in try target.runs() {
      let attempts = try target.attempts(run: run.id)
      let right = attempts.filter { whole.contains($0) }.count
      saved += right
      if right < Self.attempts || run.suites != sampleRun(cases: 40).suites {
        #expect(run.status == .interrupted, "\(what)", sourceLocation: sourceLocation)
        #expect(
          report.losses.contains { $0.hasPrefix("run \(run.id)") }, "\(what): \(report.losses)",
          sourceLocation: sourceLocation)
      }
    }
    if saved < 2 * Self.attempts {
      #expect(!report.losses.isEmpty, "\(what)", sourceLocation: sourceLocation)
    }
    return saved
  }

  @Test("an undamaged file is saved completely")
  func soundFile() throws {
    let folder = try filled()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(try checkSalvage(bytes, "sound") == 2 * Self.attempts)
    let target = try ResultStore(path: folder.path + "/new.sqlite")
    let report = try ResultStore.salvage(from: folder.database, into: target)
    #expect(report.runs == [1, 2])
    #expect(report.attempts == 2 * Self.attempts)
    #expect(report.losses == [])
    #expect(try target.references(ofRun: 2)["ants"]?.contains("good") == true)
  }

  @Test("if one page is damaged, the rest is saved as far as possible and the loss is reported")
  func damagedPages() throws {
    let folder = try filled()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    let pages = bytes.count / 4096
    #expect(pages > 60)
    var saved = 0
    var tried = 0
    for page in stride(from: 1, to: pages, by: 7) {
      var damaged = bytes
      damaged.replaceSubrange(
        page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
      saved += try checkSalvage(damaged, "page \(page + 1)")
      tried += 1
    }
    // In a small file, many pages are the root of a table; if such a page is damaged, its whole
    // table is lost.
    #expect(saved > tried * 2 * Self.attempts / 2, "\(saved) of \(tried * 2 * Self.attempts)")
  }

  @Test("if a whole table can't be read, the losses name only its first row")
  func damagedTables() throws {
    let folder = try filled()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    var losses: [String] = []
    // The roots of the tables are among the first pages.
    for page in 1..<20 {
      var damaged = bytes
      damaged.replaceSubrange(
        page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
      try damaged.write(to: URL(fileURLWithPath: folder.path + "/\(page).sqlite"))
      let target = try ResultStore(path: folder.path + "/new-\(page).sqlite")
      let report = try? ResultStore.salvage(from: folder.path + "/\(page).sqlite", into: target)
      losses += report?.losses ?? []
    }
    #expect(losses.contains("all runs from 1 on can't be read"), "\(losses)")
    #expect(
      losses.contains("run 1: its attempts in all rows from 1 on of the file can't be read"),
      "\(losses)")
  }

  @Test("if a file is truncated or empty, incomplete runs are interrupted and losses are reported")
  func cutFile() throws {
    let folder = try filled()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    for share in [0.25, 0.5, 0.9] {
      let size = Int(Double(bytes.count) * share) / 4096 * 4096
      try checkSalvage(bytes.prefix(size), "\(share) of the file")
    }
    try checkSalvage(Data(repeating: 0, count: 8192), "zeros")
    try checkSalvage(Data(), "nothing")
  }
}
