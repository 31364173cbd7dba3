import Foundation
import Testing

/// Runs `scripts/nightly` with a program that only writes down how it is called.
@Suite("The recordings of a nightly job")
struct NightlyRecordingTests {
  /// Runs the script in a folder with two recordings, and returns its exit status and the calls.
  private func nightly(
    _ arguments: [String], files: [String] = ["a.jsonl", "b.json"], failing: String = "none"
  ) throws -> (status: Int32, calls: [String]) {
    let lab = try CommandLab()
    for file in files { try lab.write("{}", to: "recordings/\(file)") }
    try lab.write("x", to: "evals/x.yaml")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      [
        Checkout.root.appendingPathComponent("scripts/nightly").path, "--assay",
        Checkout.root.appendingPathComponent("Tests/Fixtures/record-calls").path,
      ]
      + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["CALLS": lab.path("calls"), "FAILING": failing]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: lab.path(""))
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let calls = (try? lab.text("calls")) ?? ""
    return (process.terminationStatus, calls.split(separator: "\n").map(String.init))
  }

  private static let imported = [
    "import recordings/a.jsonl --new --label nightly --reports reports --suites evals",
    "import recordings/b.json --new --label nightly --reports reports --suites evals",
  ]

  @Test("the job runs the model and imports each file, or only imports with --only-recordings")
  func calls() throws {
    let both = try nightly(["evals"])
    #expect(both.status == 0)
    #expect(both.calls.first?.hasPrefix("run --label nightly ") == true)
    #expect(both.calls.first?.hasSuffix(" evals") == true)
    #expect(both.calls.dropFirst() == Self.imported[...])
    let only = try nightly(["--only-recordings"])
    #expect(only.calls == Self.imported)
    let plain = try nightly(["--reports", "out"], files: [])
    #expect(plain.calls.count == 1)
    #expect(plain.calls.first?.hasSuffix(" --reports out") == true)
  }

  @Test("a file that fails doesn't keep back the others, and decides the exit status")
  func failures() throws {
    let failed = try nightly(["--only-recordings"], failing: "a.jsonl")
    #expect(failed.status == 2)
    #expect(failed.calls == Self.imported)
    #expect(try nightly(["--only-recordings"], files: []).status == 4)
    #expect(try nightly(["--recordings", "none"]).status == 4)
  }
}
