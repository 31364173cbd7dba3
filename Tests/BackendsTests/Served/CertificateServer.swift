import FaultServer
import Foundation
import TestSupport

/// A server that `openssl` runs on 127.0.0.1 with a certificate that nobody trusts.
struct CertificateServer {
  /// The reason why the server didn't start.
  enum Problem: Error { case notStarted(String) }

  private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static var isAvailable: Bool { openssl != nil }

  let port: Int
  private let folder: TemporaryFolder
  private let process: Process

  init() throws {
    folder = try TemporaryFolder()
    // The port of a server that was just stopped is free.
    let free = try FaultServer { _, _ in [] }
    port = free.port
    free.stop()
    let maker = try Self.start(
      "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 "
        + "-keyout key.pem -out certificate.pem", in: folder.url)
    maker.waitUntilExit()
    guard maker.terminationStatus == 0 else { throw Problem.notStarted("no certificate") }
    let output = Pipe()
    // The server ends by itself after a few connections, even if a test is stopped.
    process = try Self.start(
      "s_server -accept 127.0.0.1:\(port) -key key.pem -cert certificate.pem -naccept 8 -www",
      in: folder.url, output: output)
    var text = ""
    while !text.contains("ACCEPT") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw Problem.notStarted(text) }
      text += String(decoding: bytes, as: UTF8.self)
    }
  }

  func stop() {
    // The process inherits a signal mask that may block any signal except SIGKILL.
    kill(process.processIdentifier, SIGKILL)
  }

  private static func start(
    _ words: String, in folder: URL, output: Pipe? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: openssl ?? "")
    process.arguments = words.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
