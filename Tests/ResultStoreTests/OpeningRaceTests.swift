import Foundation
import ResultStore
import Synchronization
import Testing

@Suite("A new file that several processes open at the same time")
struct OpeningRaceTests {
  // Without one snapshot, a file whose tables appear between two reads looks like a file of
  // another program. It takes some luck to see that, so the test tries it a hundred times.
  @Test("every one of them finds an empty file or this program's tables")
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

/// Opens files and remembers the errors.
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
