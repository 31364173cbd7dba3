import Foundation
import Testing

@testable import AssayCommandLine

@Suite("Nightly runs in a git repository keep the same reference until a run is accepted")
struct ReferenceChangeTests {
  /// Creates a repository with the branch main checked out.
  private func repository() throws -> CommandLab {
    let lab = try CommandLab()
    try lab.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try lab.write(String(repeating: "a", count: 40) + "\n", to: ".git/refs/heads/main")
    return lab
  }

  /// Returns a suite of twenty test cases with three repeats.
  ///
  /// `failing` is the number of failing attempts. They end with `fault`; if `fault` is nil, their
  /// answers have no pairs.
  private func suite(failing: Int, fault: String? = nil) -> String {
    let pairs =
      #"{ pairs: [ { question: A, answer: B }, { question: C, answer: D }, "#
      + #"{ question: E, answer: F } ] }"#
    let bad = fault.map { "{ fault: \($0) }" } ?? "{ content: { pairs: [] } }"
    let cases = (0..<20).map { index -> String in
      let answers = (0..<3).map { repeatIndex in
        // The failing attempts are spread over the test cases.
        repeatIndex * 20 + index < failing ? bad : "{ content: \(pairs) }"
      }
      return """
          - id: case-\(index)
            input: Text \(index).
            stub: { sequence: [ \(answers.joined(separator: ", ")) ] }
        """
    }
    return """
      suite: quiz
      generates: { schema: schema.json }
      repeats: 3
      gate: { passRate: 0.5 }
      assertions: [ { count: { path: $.pairs, min: 3, max: 8 } } ]
      cases:
      \(cases.joined(separator: "\n"))

      """
  }

  private func write(_ lab: CommandLab, failing: Int, fault: String? = nil) throws {
    try QuizSuite().write(to: lab)
    try lab.write(suite(failing: failing, fault: fault), to: "quiz/suite.yaml")
  }

  private func night(_ lab: CommandLab) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "--baseline", "main"])
  }

  @Test("only the baseline of an accepted run can be renewed, not the last run of a branch")
  func otherSettings() async throws {
    for isAccepted in [true, false] {
      let lab = try repository()
      try QuizSuite().write(to: lab)
      #expect(await night(lab).status == .passed)
      if isAccepted { #expect(await lab.assay("baseline", "accept").status == .passed) }
      try lab.write(
        try lab.text("quiz/suite.yaml").replacing("temperature: 0.7", with: "temperature: 0.8"),
        to: "quiz/suite.yaml")
      let ending = await night(lab)
      #expect(ending.status == .usage, "\(ending.output)")
      #expect(ending.notes.contains("baseline renew") == isAccepted, "\(ending.notes)")
    }
  }

  @Test("nightly runs find a slow drop of the pass rate, and report it until a run is accepted")
  func ratchet() async throws {
    let lab = try repository()
    var statuses: [AssayCommandLine.ExitStatus] = []
    for lost in stride(from: 0, through: 16, by: 2) {
      try write(lab, failing: lost)
      statuses.append(await night(lab).status)
    }
    let first = try #require(statuses.firstIndex(of: .failed), "\(statuses)")
    #expect(first <= 5, "no night fails, although only 50 of 60 pass on the sixth: \(statuses)")
    #expect(statuses[first...].allSatisfy { $0 == .failed }, "\(statuses)")
    // As long as the rate stays low, every night reports it.
    for _ in 0..<2 { #expect(await night(lab).status == .failed) }
    let last = await night(lab)
    #expect(last.output.contains("against quiz:default in run 1"), "\(last.output)")
    // Once accepted, the lower rate is the reference.
    let refused = await lab.assay("baseline", "accept", "--reason", "we live with it")
    #expect(refused.errors.first?.contains("got worse than its baseline") == true)
    let accept = await lab.assay("baseline", "accept", "--allow", "we live with it")
    #expect(accept.status == .passed, "\(accept.notes)")
    let after = await night(lab)
    #expect(after.status == .passed, "\(after.output)")
    // The next run finds a further drop, because it is compared with the accepted run.
    try write(lab, failing: 26)
    #expect(await night(lab).status == .failed)
  }

  @Test("without a reference, the gates decide, and the headline says that no reference exists")
  func noReference() async throws {
    let lab = try repository()
    try write(lab, failing: 4)
    let first = await night(lab)
    #expect(first.status == .passed)
    let text = first.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("No baseline has been accepted yet"), "\(text)")
    let none = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--baseline", "none")
    #expect(!none.output.contains("No baseline"), "with --baseline none, the run isn't compared")
  }

  @Test("a run with many errors can't be accepted, and a comparison with it counts as broken")
  func backendErrors() async throws {
    let lab = try repository()
    try write(lab, failing: 11, fault: "error")
    #expect(await night(lab).status == .passed)
    try write(lab, failing: 11)
    let second = await night(lab)
    #expect(second.status == .failed, "\(second.output)")
    #expect(second.output.contains("✗ Broken."), "\(second.output)")
    let accept = await lab.assay("baseline", "accept", "1")
    #expect(accept.status == .usage)
    #expect(accept.errors.first?.contains("11 attempts ended in a backend error") == true)
  }

  @Test("a run whose requests differ from those of its reference doesn't become the next reference")
  func incomparableNight() async throws {
    let lab = try repository()
    try write(lab, failing: 0)
    #expect(await night(lab).status == .passed)
    let other = suite(failing: 24).replacingOccurrences(
      of: "repeats: 3", with: "repeats: 3\noptions: { temperature: 0.9 }")
    try lab.write(other, to: "quiz/suite.yaml")
    for _ in 0..<2 { #expect(await night(lab).status == .usage) }
  }
}
