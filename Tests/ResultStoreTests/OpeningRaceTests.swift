import Foundation
import ResultStore
import Synchronization
import TestSupport
import Testing

@Suite("A new file that several threads open at the same time")
struct OpeningRaceTests {
  // If the store read the file in two snapshots, and another thread created the tables in between,
  // the file would look like another program's. This rarely happens, so the test tries 100 times.
  @Test("every thread finds either an empty file or this program's tables")
  func fileIsRecognized() async throws {
    let folder = try TemporaryFolder()
    let openings = Openings()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for round in 0..<100 {
          DispatchQueue.concurrentPerform(iterations: 8) { _ in
            openings.open("\(folder.path)/\(round).sqlite")
          }
        }
        continuation.resume()
      }
    }
    #expect(openings.errors.isEmpty)
  }
}

/// Opens files and collects the errors.
private final class Openings: Sendable {
  private let collected = Mutex<[String]>([])

  var errors: [String] { collected.withLock { $0 } }

  func open(_ path: String) {
    do {
      _ = try ResultStore(path: path)
    } catch {
      collected.withLock { $0.append("\(error)") }
    }
  }
}
