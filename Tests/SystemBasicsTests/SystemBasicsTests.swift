import Foundation
import Synchronization
import SystemBasics
import TestSupport
import Testing

@Suite("What modules use of the system")
struct SystemBasicsTests {
  @Test(
    "a number has as many decimals as asked for",
    arguments: [
      (0.25, 3, "0.250"), (-1.005, 1, "-1.0"), (2.5, 0, "2"), (3.5, 0, "4"), (0, 2, "0.00"),
      (1e300, 0, String(format: "%.0f", 1e300)), (.infinity, 1, "inf"),
    ] as [(Double, Int, String)])
  func checkDecimals(_ value: Double, _ decimals: Int, _ text: String) {
    #expect(value.text(decimals: decimals) == text)
  }

  @Test(
    "white space at both ends goes, and white space inside stays",
    arguments: [(" a b\r\n", "a b"), ("\t\n", ""), ("", ""), ("a", "a"), ("\u{2003}é ", "é")])
  func checkTrimmed(_ text: String, _ trimmed: String) {
    #expect(text.trimmed == trimmed)
    #expect("\"x'".trimmed { "\"'".contains($0) } == "x")
  }

  @Test(
    "texts that are canonically equivalent have the same composed form",
    arguments: [("e\u{301}", "é"), ("\u{212B}", "Å"), ("\u{1100}\u{1161}", "가"), ("ﬁ", "ﬁ")])
  func checkComposed(_ text: String, _ composed: String) {
    #expect(Array(text.composed.utf8) == Array(composed.utf8))
    #expect(
      Array(text.composed.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
  }

  @Test("a file grows at its end, and can be read in parts or up to a limit")
  func checkOpenFile() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let path = "\(folder)/file"
    #expect(OpenFile(reading: path) == nil)
    #expect(try #require(OpenFile(appendingTo: path, mustBeNew: true)).write("ab".utf8))
    #expect(OpenFile(appendingTo: path, mustBeNew: true) == nil)
    #expect(try #require(OpenFile(appendingTo: path)).write("cd".utf8))
    #expect(OpenFile.append("".utf8, to: "\(folder)/other") == "No such file or directory")
    let file = try #require(OpenFile(reading: path))
    #expect(file.read(upTo: 3) == Array("abc".utf8))
    #expect(file.read(upTo: 3) == Array("d".utf8))
    #expect(file.read(upTo: 3) == [])
    #expect(OpenFile.append("ef".utf8, to: path) == nil)
    #expect(file.read(upTo: 3) == Array("ef".utf8))
    #expect(OpenFile(reading: path)?.readToEnd(limit: 3) == Array("abc".utf8))
    #expect(OpenFile(reading: folder)?.readToEnd() == nil)
    if FileManager.default.fileExists(atPath: "/dev/full") {
      #expect(OpenFile(appendingTo: "/dev/full")?.write("x".utf8) == false)
      #expect(OpenFile.append("x".utf8, to: "/dev/full") == "No space left on device")
    }
  }

  @Test("the status of a path tells files, folders and other things apart, through links")
  func checkStatus() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    try Data("abc".utf8).write(to: URL(fileURLWithPath: "\(folder)/file"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link", withDestinationPath: "\(folder)/file")
    mkfifo("\(folder)/pipe", 0o600)
    #expect(FileStatus(path: "\(folder)/link")?.kind == .file)
    #expect(FileStatus(path: "\(folder)/link")?.size == 3)
    #expect(FileStatus(path: folder)?.isFolder == true)
    #expect(FileStatus(path: "\(folder)/pipe")?.kind == .other)
    #expect(FileStatus(path: "\(folder)/none") == nil)
  }

  @Test("the reason of an error that files caused is the system's")
  func checkReason() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let file = URL(fileURLWithPath: "\(folder)/file")
    try Data().write(to: file)
    func reason(_ action: () throws -> Void) -> String {
      do {
        try action()
        return ""
      } catch {
        return SystemReason.words(for: error)
      }
    }
    #expect(reason { try Data().write(to: file, options: .withoutOverwriting) } == "File exists")
    #expect(
      reason { try Data().write(to: URL(fileURLWithPath: "\(folder)/no/file")) }
        == "No such file or directory")
  }

  @Test("a new thread runs its function, with a stack of the size that it asks for")
  func checkThread() async {
    @Sendable func depth(_ count: Int) -> Int { count == 0 ? 0 : 1 + depth(count - 1) }
    let reached = await withCheckedContinuation { continuation in
      DetachedThread.start(stackSize: 64 << 20) { continuation.resume(returning: depth(100_000)) }
    }
    #expect(reached == 100_000)
  }
}
