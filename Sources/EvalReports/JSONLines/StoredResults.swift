import EvalFindings
import EvalRecords
import StructuredText

/// The inputs and some answers of a run, read from its `results.jsonl` (``ResultLines``).
struct StoredResults {
  /// A test case of a slice, or of a suite if the slice's other parts are empty.
  struct Key: Hashable {
    var slice: SliceKey
    var caseID: String

    init(_ slice: SliceKey, _ caseID: String) { (self.slice, self.caseID) = (slice, caseID) }

    /// The key of the test case in its suite.
    var ofSuite: Key { Key(SliceKey(suite: slice.suite, variant: "", backend: ""), caseID) }
  }

  /// An answer to a test case.
  struct Answer {
    /// The number of the repeat.
    var index: Int
    var output: String
    /// The first failed assertion, or the backend's message; empty if the attempt passed.
    var reason: String
  }

  /// The inputs of the run's test cases, by suite.
  private(set) var inputs: [Key: JSONValue] = [:]
  /// The first passing answer to each wanted test case.
  private(set) var passing: [Key: Answer] = [:]
  /// The first failing answer to each wanted test case.
  private(set) var failing: [Key: Answer] = [:]

  /// Reads a file, and leaves out lines that it can't read.
  init(_ bytes: [UInt8], wanted: Set<Key>, readsInputs: Bool) {
    for (number, line) in bytes.split(separator: 0x0A).enumerated() {
      if number == 0 {
        if readsInputs, let run = try? JSONReader.readValue(Array(line)) { readInputs(run) }
      } else if !wanted.isEmpty {
        read(line, wanted)
      }
    }
  }

  private mutating func readInputs(_ run: JSONValue) {
    for suite in run["suites"]?.array ?? [] {
      guard let id = suite["id"]?.string else { continue }
      let key = SliceKey(suite: id, variant: "", backend: "")
      for item in suite["cases"]?.array ?? [] {
        guard let caseID = item["id"]?.string, let input = item["input"] else { continue }
        inputs[Key(key, caseID)] = input
      }
    }
  }

  private static let mark = Array(",\"repeat\":".utf8)

  private mutating func read(_ line: ArraySlice<UInt8>, _ wanted: Set<Key>) {
    // The members before `repeat` name the test case, and the others can be long. Inside a text, a
    // quotation mark has a backslash before it, so the mark can't occur there.
    guard let end = line.firstRange(of: Self.mark)?.lowerBound,
      let head = try? JSONReader.readValue(Array(line[..<end]) + [UInt8(ascii: "}")]),
      let suite = head["suite"]?.string, let variant = head["variant"]?.string,
      let backend = head["backend"]?.string, let caseID = head["case"]?.string
    else { return }
    let key = Key(SliceKey(suite: suite, variant: variant, backend: backend), caseID)
    guard wanted.contains(key), passing[key] == nil || failing[key] == nil,
      let attempt = try? JSONReader.readValue(Array(line)), let index = attempt["repeat"]?.int,
      let output = attempt["output"]?.string
    else { return }
    let isPass = attempt["outcome"]?.string == "pass"
    let answer = Answer(index: index, output: output, reason: isPass ? "" : Self.reason(attempt))
    if isPass, passing[key] == nil { passing[key] = answer }
    if !isPass, failing[key] == nil { failing[key] = answer }
  }

  private static func reason(_ attempt: JSONValue) -> String {
    if let message = attempt["failure"]?["message"]?.string { return message }
    guard
      let failed = attempt["verdicts"]?.array?.first(where: { $0["verdict"]?.string == "fail" })
    else { return "" }
    func text(_ name: String) -> String { failed[name]?.string ?? "" }
    return "\(text("assertion")): \(text("actual")), expected \(text("expected"))"
  }
}
