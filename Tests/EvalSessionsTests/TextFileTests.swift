import EvalSessions
import Foundation
import SystemBasics
import Testing

@Suite("Text files of a command line")
struct TextFileTests {
  @Test(
    "a file and a pipe are read to their end, up to a limit",
    arguments: [(false, 4, "text"), (true, 4, "text"), (false, 3, nil), (true, 3, nil)])
  func checkLimit(isPipe: Bool, limit: Int, text: String?) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("assay-text-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    if isPipe { mkfifo(path, 0o600) }
    // A pipe can only be opened when both sides open it.
    let write: @Sendable () -> Void = { _ = OpenFile(appendingTo: path)?.write("text".utf8) }
    if isPipe { DetachedThread.start(write) } else { write() }
    do throws(SessionFailure) {
      let found = try TextFile.text(of: path, limit: limit)
      #expect(found == text)
    } catch {
      #expect(text == nil && error.messages == ["\(path): the file is larger than 0 MiB"])
    }
  }
}
