import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("The git state of a folder")
struct WorkingCopyTests {
  private static let hash = String(repeating: "0123456789", count: 4)

  @Test(
    "the commit comes from git, and the branch from `.git/HEAD` or else the CI job's variables",
    arguments: [
      ("ref: refs/heads/main", [:], "main"),
      ("ref: refs/heads/guides/shorter", [:], "guides/shorter"),
      (hash, [:], nil), (hash, ["GITHUB_REF_NAME": "main"], "main"),
      (hash, ["GITHUB_HEAD_REF": "topic", "GITHUB_REF_NAME": "7/merge"], "topic"),
      (hash, ["GITHUB_HEAD_REF": "", "GITHUB_REF_NAME": "main"], "main"),
      (hash, ["CI_COMMIT_REF_NAME": "main"], "main"),
      // A tag may have the name of a branch.
      (hash, ["GITHUB_REF_NAME": "main", "GITHUB_REF_TYPE": "branch"], "main"),
      (hash, ["GITHUB_REF_NAME": "main", "GITHUB_REF_TYPE": "tag"], nil),
      (hash, ["CI_COMMIT_REF_NAME": "main", "CI_COMMIT_TAG": "main"], nil),
      ("ref: refs/heads/topic", ["GITHUB_REF_NAME": "main"], "topic"),
    ] as [(String, [String: String], String?)])
  func checkBranch(head: String, environment: [String: String], branch: String?) throws {
    let lab = try CommandLab()
    try lab.write(head + "\n", to: ".git/HEAD")
    if let branch { try lab.write(Self.hash + "\n", to: ".git/refs/heads/\(branch)") }
    try lab.write("", to: "suites/deep/suite.yaml")
    let copy = WorkingCopy(around: lab.path("suites/deep"), environment: environment)
    #expect(copy.commit == Self.hash)
    #expect(copy.branch == branch)
  }

  @Test("outside a repository, there is no commit or branch, whatever the environment contains")
  func outside() throws {
    let lab = try CommandLab()
    let copy = WorkingCopy(around: lab.folder, environment: ["GITHUB_REF_NAME": "main"])
    #expect(copy.commit == nil)
    #expect(copy.branch == nil)
  }

  @Test(
    "paths of suites are relative to the repository or, without one, to the working directory",
    arguments: [true, false])
  func sources(isRepository: Bool) async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    if isRepository { try lab.write(Self.hash + "\n", to: ".git/HEAD") }
    _ = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    let run = try ResultStore(path: lab.database, access: .reading).run(1)
    #expect(run.details.sources?["quiz"]?.file == "quiz/suite.yaml")
  }
}
