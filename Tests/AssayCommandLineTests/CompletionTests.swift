import Foundation
import Testing

@testable import AssayCommandLine

@Suite("Shell completions")
struct CompletionTests {
  /// Returns the path of a shell, or nil if the shell is not installed.
  private static func path(of shell: String) -> String? {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(shell)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a script in a shell.
  private func run(_ script: String, in shell: String) throws -> (status: Int32, output: String) {
    let path = try #require(Self.path(of: shell))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = (shell == "zsh" ? ["-f"] : shell == "fish" ? ["-N"] : []) + ["-c", script]
    // Completions must not depend on the environment or the input of the test runner.
    process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private func script(for shell: String) async throws -> String {
    let ending = await (try CommandLab()).run(["completions", shell])
    #expect(ending.status == .passed)
    return ending.output
  }

  @Test(
    "bash offers commands, subcommands, options and their values",
    .enabled(if: CompletionTests.path(of: "bash") != nil),
    arguments: [
      ("pow", ["power"]), ("run --stop", ["--stop-alpha", "--stop-early"]),
      ("run --trace a", ["all"]), ("history t", ["trends"]), ("run --xyz", []),
      ("completions ", ["bash", "zsh", "fish"]), ("help comp", ["compare", "completions"]),
    ])
  func checkBash(line: String, expected: [String]) async throws {
    let words = ("assay " + line).split(separator: " ", omittingEmptySubsequences: false)
      .map { "'\($0)'" }
    let result = try run(
      try await script(for: "bash") + """

        COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
        _assay; printf '%s\\n' "${COMPREPLY[@]}"
        """, in: "bash")
    #expect(result.status == 0, "\(result.output)")
    let offered = Set(result.output.split(separator: "\n").map(String.init))
    #expect(offered == Set(expected), "\(result.output)")
  }

  @Test(
    "zsh loads the script and registers its completion",
    .enabled(if: CompletionTests.path(of: "zsh") != nil))
  func zsh() async throws {
    let result = try run(
      "autoload -U compinit; compinit -u -d /dev/null; "
        + (try await script(for: "zsh")) + "\nprint -r -- ${_comps[assay]}", in: "zsh")
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output == "_assay\n")
  }

  @Test(
    "fish offers commands, options and their values",
    .enabled(if: CompletionTests.path(of: "fish") != nil),
    arguments: [
      ("assay pow", "power"), ("assay run --stop-e", "--stop-early"),
      ("assay run --trace a", "all"), ("assay history tr", "trends"),
    ])
  func checkFish(line: String, expected: String) async throws {
    let result = try run(
      try await script(for: "fish") + "\ncomplete -C '\(line)'", in: "fish")
    #expect(result.status == 0, "\(result.output)")
    let offered = result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(offered.contains { $0 == expected }, "\(result.output)")
  }

  @Test("every script contains all commands and long options; `assay` rejects an unknown shell")
  func complete() async throws {
    for shell in ShellCompletions.allNames {
      let text = try await script(for: shell)
      for command in AssayProgram.commands.map(\.specification) {
        #expect(text.contains(command.name))
        for option in command.options { #expect(text.contains(option.name), "\(shell)") }
      }
    }
    let unknown = await (try CommandLab()).run(["completions", "tcsh"])
    #expect(unknown.status == .usage)
    #expect(
      unknown.errors == [
        "`assay completions` doesn't know the shell tcsh; the allowed shells are bash, zsh, fish"
      ])
  }
}
