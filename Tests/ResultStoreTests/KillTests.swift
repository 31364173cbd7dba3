import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("A process that is killed")
struct KillTests {
  @Test(
    "every acknowledged attempt survives a kill at any moment",
    arguments: [0, 1, 8, 40, 150])
  func acknowledgedAttemptsSurvive(least: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, least] in
      let store = try ResultStore(path: path + "/results.sqlite")
      let run = try store.beginRun(sampleRun())
      let acknowledged = open(path + "/acknowledged", O_WRONLY | O_CREAT, 0o644)
      Thread.detachNewThread {
        // The next attempt is being stored when the signal comes.
        while lseek(acknowledged, 0, SEEK_CUR) < least { sched_yield() }
        kill(getpid(), SIGKILL)
      }
      for number in 0..<1_000_000 {
        try store.append(sampleAttempt(number), run: run.id)
        _ = write(acknowledged, ".", 1)
      }
    }
    let count =
      (try? Data(contentsOf: URL(fileURLWithPath: path + "/acknowledged")))?.count ?? 0
    #expect(count >= least)
    let store = try ResultStore(path: folder.database)
    #expect(try store.integrityProblems() == [])
    let run = try #require(try store.latestRun())
    #expect(run.status == .interrupted)
    let attempts = try store.attempts(run: run.id)
    // One more attempt may have been committed than acknowledged.
    #expect(attempts.count == count || attempts.count == count + 1)
    #expect(attempts == (0..<attempts.count).map { sampleAttempt($0) })
  }
}
