import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ResultStore

@Suite("Waiting for another process's lock")
struct LockTests {
  @Test(
    "the list of locks shows who holds a file's write lock, but not who reads or waits",
    arguments: [
      ("1: POSIX  ADVISORY  WRITE 6589 fe:00:160 1073741824 1073742335", [6589]),
      ("2: FLOCK  ADVISORY  WRITE 6473 fe:00:160 0 EOF", [6473]),
      ("2: -> FLOCK  ADVISORY  WRITE 6588 fe:00:160 0 EOF", []),
      ("3: POSIX  ADVISORY  READ 6590 fe:00:160 120 120", []),
      ("4: POSIX  ADVISORY  WRITE 6591 fe:00:161 120 120", []),
      ("5: OFDLCK ADVISORY  WRITE -1 fe:00:160 12 12", []),
      ("6: POSIX  ADVISORY  WRITE 0 fe:00:160 12 12", []),
      ("", []), ("7:", []),
      (
        "1: POSIX  ADVISORY  WRITE 1 fe:00:160 0 0\n2: POSIX  ADVISORY  WRITE 2 fe:00:160 1 1",
        [1, 2]
      ),
    ])
  func list(text: String, processes: [Int]) {
    #expect(LockHolder.processes(in: text, holding: 160) == processes)
  }

  /// Calls a closure with a database that another connection has locked.
  private func withLockedDatabase(_ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    _ = try ResultStore(path: folder.database).beginRun(sampleRun())
    let other = try Connection(path: folder.database, isReadOnly: false, waiting: LockWait())
    try other.run("BEGIN EXCLUSIVE")
    try body(folder.database)
  }

  @Test("a store that waits says once who has locked the database, and then gives up")
  func notice() throws {
    try withLockedDatabase { database in
      let notices = Mutex<[LockNotice]>([])
      let waiting = LockWait(limit: 1.5) { notice in notices.withLock { $0.append(notice) } }
      let store = try ResultStore(path: database, access: .reading)
      #expect(try store.runIDs() == [1], "readers don't wait")
      let error = #expect(throws: StoreError.self) {
        // The run that nobody executes is marked as interrupted, and that is a write.
        _ = try ResultStore(path: database, waiting: waiting)
      }
      #expect(error?.problem == .busy)
      #expect(notices.withLock { $0.map(\.path) } == [database])
      #if os(Linux)
        #expect(notices.withLock { $0.first?.holder?.process } == Int(getpid()))
        #expect(error?.reason.hasPrefix("process \(getpid()) (") == true, "\(error?.reason ?? "")")
      #endif
    }
  }

  @Test("a hurried wait ends, and the rule remembers that it ended early")
  func hurry() throws {
    try withLockedDatabase { database in
      let waiting = LockWait()
      #expect(!waiting.hasEndedEarly)
      waiting.hurry()
      #expect(throws: StoreError.self) { _ = try ResultStore(path: database, waiting: waiting) }
      #expect(waiting.hasEndedEarly)
    }
    let waiting = LockWait()
    waiting.hurry()
    let folder = try TemporaryFolder()
    _ = try ResultStore(path: folder.database, waiting: waiting).beginRun(sampleRun())
    #expect(!waiting.hasEndedEarly, "a database that nobody has locked needs no waiting")
  }

  @Test("a wait ends when its time is up, however few tries a busy machine made")
  func time() {
    let notices = Mutex(0)
    let waiting = LockWait(limit: 60, clock: LeapingClock(step: .seconds(20))) { _ in
      notices.withLock { $0 += 1 }
    }
    var turn = waiting.begin()
    let pauses = (0..<4).map { _ in waiting.pause(&turn, path: "/x", files: []) }
    #expect(pauses == [true, true, false, false])
    #expect(notices.withLock(\.self) == 1)
    // A hurried wait makes a few tries even if it takes longer than a quarter of a second.
    let hurried = LockWait(clock: LeapingClock(step: .milliseconds(100)))
    hurried.hurry()
    turn = hurried.begin()
    let tries = (0..<10).filter { _ in hurried.pause(&turn, path: "/x", files: []) }
    #expect(tries.count == 8)
    #expect(hurried.hasEndedEarly)
  }

  @Test(
    "a folder that a child process has locked names the child, and can be locked after it ends",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
  func child() throws {
    let folder = try TemporaryFolder()
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    // With `--no-fork`, the child is the only process that has the locked folder open.
    child.arguments = ["--no-fork", folder.path, "sh", "-c", "echo locked; exec sleep 600"]
    let output = Pipe()
    child.standardOutput = output
    try child.run()
    _ = try output.fileHandleForReading.read(upToCount: 1)
    let descriptor = open(folder.path, O_RDONLY)
    defer { close(descriptor) }
    let error = #expect(throws: LockTimeout.self) {
      try LockWait(limit: 0.1).lock(descriptor, path: folder.path)
    }
    #expect(error?.path == folder.path)
    #if os(Linux)
      #expect(error?.holder?.process == Int(child.processIdentifier))
      #expect(error?.holder?.command == "sleep 600")
    #endif
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
    try LockWait(limit: 30).lock(descriptor, path: folder.path)
  }
}

/// A clock on which every reading is one step later than the reading before it.
private final class LeapingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now
  private let step: Duration
  private let readings = Atomic(0)

  init(step: Duration) { self.step = step }

  var now: Instant {
    start.advanced(by: step * readings.add(1, ordering: .relaxed).newValue)
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
