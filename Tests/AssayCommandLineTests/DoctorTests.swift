import Testing

@testable import AssayCommandLine

@Suite("assay doctor")
struct DoctorTests {
  @Test("`assay doctor` describes the bundled model, its speed and its answer to a test case")
  func bundledModel() async throws {
    let lab = try CommandLab()
    let ending = await lab.run(["doctor", "-m", Checkout.model, "--chat-format", "zephyr"])
    #expect(ending.status == .passed, "\(ending.notes)")
    let rows = ending.output.split(separator: "\n").map { line in
      line.split(separator: "  ", maxSplits: 1).map { $0.drop { $0 == " " } }
    }
    let names = rows.compactMap { $0.first.map(String.init) }
    #expect(
      names == [
        "assay", "file", "SHA-256", "name", "architecture", "parameters", "weights", "vocabulary",
        "context", "chat format", "memory", "instructions", "batches", "speed", "test case",
      ])
    func value(_ name: String) -> String {
      rows.first { $0.first.map(String.init) == name }?.last.map(String.init) ?? ""
    }
    #expect(value("architecture").hasPrefix("llama"))
    #expect(value("chat format") == "zephyr")
    // The mask allows only answers of this form, no matter what the model prefers.
    #expect(
      value("test case").contains(
        #/^\{\s*"drink"\s*:\s*"(coffee|tea|water)"\s*,\s*"count"\s*:\s*[1-9]\s*\}/#))
  }
}
