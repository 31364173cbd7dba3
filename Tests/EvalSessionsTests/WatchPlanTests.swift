import EvalSuites
import Synchronization
import Testing

@testable import EvalSessions

@Suite("Watching suites")
struct WatchPlanTests {
  typealias Files = WatchPlan.Files

  private static let soup: Files = ["soup/suite.yaml": [1], "shared.json": [2]]
  private static let tips: Files = ["tips/suite.yaml": [3], "shared.json": [2]]
  private static let menu: Files = ["menu/suite.yaml": [4], "menu/schema.json": [5]]
  private static let all = [("soup", soup), ("tips", tips), ("menu", menu)]

  @Test(
    "an edit affects the suites that were read from the edited file",
    arguments: [
      ("nothing", [:], [], []),
      ("a suite", ["tips/suite.yaml": [9]], ["tips"], ["tips/suite.yaml"]),
      ("a schema", ["menu/schema.json": [9]], ["menu"], ["menu/schema.json"]),
      ("a schema of two suites", ["shared.json": [9]], ["soup", "tips"], ["shared.json"]),
      (
        "two files", ["menu/schema.json": [9], "soup/suite.yaml": []], ["soup", "menu"],
        ["menu/schema.json", "soup/suite.yaml"]
      ),
      ("an unused file", ["notes.txt": [9]], [], []),
    ] as [(String, Files, [String], [String])])
  func edits(what: String, change: Files, affected: [String], edited: [String]) {
    let now = Self.all.map { suite in
      (id: suite.0, files: suite.1.merging(change.filter { suite.1[$0.key] != nil }) { $1 })
    }
    let last = Dictionary(uniqueKeysWithValues: Self.all.map { ($0.0, $0.1) })
    let plan = WatchPlan(now, last: last)
    #expect(plan.affected == affected)
    #expect(plan.edited == edited)
    #expect(plan.removed == [])
  }

  @Test("the first plan runs every suite; a later plan runs new suites and names removed ones")
  func suites() {
    let first = WatchPlan(Self.all.map { (id: $0.0, files: $0.1) }, last: [:])
    #expect(first.affected == ["soup", "tips", "menu"] && first.edited == [])
    let later = WatchPlan(
      [(id: "menu", files: Self.menu), (id: "new", files: ["new/suite.yaml": [1]])],
      last: ["soup": Self.soup, "menu": Self.menu])
    #expect(later.affected == ["new"] && later.removed == ["soup"] && later.edited == [])
    let moved = WatchPlan(
      [(id: "soup", files: ["soup/suite.yaml": [1], "own.json": [2]])], last: ["soup": Self.soup])
    #expect(moved.affected == ["soup"] && moved.edited == ["own.json", "shared.json"])
  }

  /// Files in memory, which a test edits.
  private final class Folder: Sendable {
    let texts = Mutex<[String: String]>([:])

    var reading: FileReading {
      let now: @Sendable () -> FileReading = { .memory(self.texts.withLock { $0 }) }
      return FileReading(
        kind: { now().kind($0) },
        bytes: { path throws(FileReading.Failure) in try now().bytes(path) },
        names: { path throws(FileReading.Failure) in try now().names(path) })
    }
  }

  private static let suite = """
    suite: soup
    generates: { schema: schema.json }
    stub: { content: { name: Tomato } }
    assertions: [ { present: { path: $.name } } ]
    cases: [ { id: one, input: A soup. } ]
    """

  private static let schema = """
    { "title": "Soup", "type": "object", "properties": { "name": { "type": "string" } },
      "required": ["name"], "additionalProperties": false }
    """

  @Test("a suite lists the files that it was read from, and an observation notices every change")
  func observation() async throws {
    let folder = Folder()
    folder.texts.withLock {
      $0 = ["evals/soup/suite.yaml": Self.suite, "evals/soup/schema.json": Self.schema]
    }
    let observation = FileObservation(of: folder.reading)
    let loaded = Registered().load(["evals"], files: observation.reading)
    #expect(loaded.problems == [])
    let suite = try #require(loaded.suites.first)
    #expect(
      Set(suite.readFiles.keys) == ["evals/soup/suite.yaml", "evals/soup/schema.json"])
    #expect(observation.currentStates == observation.states)

    for (path, text) in [
      ("evals/soup/schema.json", Self.schema + " "), ("evals/tips/suite.yaml", Self.suite),
    ] {
      let before = folder.texts.withLock { $0 }
      folder.texts.withLock { $0[path] = text }
      #expect(observation.currentStates != observation.states, "\(path)")
      folder.texts.withLock { $0 = before }
      #expect(observation.currentStates == observation.states)
    }
    folder.texts.withLock { $0["evals/soup/schema.json"] = nil }
    #expect(observation.currentStates != observation.states)
    #expect(
      await observation.edited(clock: ContinuousClock(), pause: .milliseconds(1)) { false })
    #expect(
      await !observation.edited(clock: ContinuousClock(), pause: .milliseconds(1)) { true })
  }
}
