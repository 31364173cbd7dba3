import EvalRecords
import StructuredText

/// The data of all attempts as JSON columns: about ten bytes per attempt, not counting the answers.
///
/// A slice is a suite in one variant on one backend. All entries are numbered from 0, in the order
/// of their lists.
///
/// ```
/// S  the names of the slices
/// V  the variant of each slice
/// M  the backend and the model of each slice
/// Q  the suite of each slice, and the options of the command that shows one of its attempts
/// C  the ids of the test cases
/// T  the tags of each test case
/// I  the input of each test case; empty if the page has no room for it
/// W  the tags of each slice's suite
/// R  the reasons for failures
/// b  blocks of attempts: [slice, test case, number of attempts]; if the repeats are not 0, 1, 2 …,
///    a fourth entry lists them
/// v  one letter for each attempt: p pass, f fail, e error, v vacuous, s skipped
/// r  for each attempt that failed or ended in an error, the number of its reason
/// t  the output tokens of each attempt
/// m  the milliseconds of each attempt
/// l  the length of the schema's first array in each attempt's answer; -1 if there is none
/// G  the pairs of branches, as "expected>chosen"
/// g  the number of each attempt's pair; -1 if the attempt has none
/// O  the answers
/// o  the number of each attempt's answer; -1 if the page leaves it out
/// p  the number of the baseline's answer to the same test case and repeat; -1 if the page has none
/// ```
struct AttemptColumns {
  private let document: ReportDocument

  /// The maximum size of all inputs together, in bytes.
  private static let roomForInputs = 300_000
  /// The maximum size of an input in bytes.
  private static let longestInput = 600

  private var summary: RunSummary { document.summary }

  init(_ document: ReportDocument) { self.document = document }

  /// The reason for a failure, as the table shows it.
  static func reason(_ cluster: FailureCluster) -> String {
    ClippedText(VisibleText.line(cluster.title), limit: 160).text
  }

  func write(to w: inout HTMLWriter) { w.data(id: "rows", json: json) }

  private var json: [UInt8] {
    var caseNumbers: [String: Int] = [:]
    var cases: [String] = []
    var tags: [String] = []
    var inputs: [String] = []
    var room = Self.roomForInputs
    var blocks: [String] = []
    for (number, slice) in summary.slices.enumerated() {
      for summaryOfCase in slice.cases where !summaryOfCase.range.isEmpty {
        let name = VisibleText.line(summaryOfCase.id)
        if caseNumbers[name] == nil {
          caseNumbers[name] = cases.count
          cases.append(name)
          tags.append(VisibleText.line(summaryOfCase.record?.tags.joined(separator: " ") ?? ""))
          let input = ClippedText(
            VisibleText.line(summaryOfCase.record?.input ?? ""), limit: Self.longestInput)
          room -= input.text.utf8.count
          inputs.append(room < 0 ? "" : input.text)
        }
        let repeats = summary.attempts[summaryOfCase.range].map(\.key.repeatIndex)
        let isPlain = repeats.enumerated().allSatisfy { $0.offset == $0.element }
        let list = isPlain ? "" : ",[\(repeats.map(String.init).joined(separator: ","))]"
        blocks.append("[\(number),\(caseNumbers[name] ?? 0),\(repeats.count)\(list)]")
      }
    }
    var verdicts: [UInt8] = []
    var reasons: [String] = []
    for (index, attempt) in summary.attempts.enumerated() {
      let cluster = summary.clusterOfAttempt[index]
      switch attempt.outcome {
      case .pass: verdicts.append(UInt8(ascii: "p"))
      case .skipped: verdicts.append(UInt8(ascii: "s"))
      case .error: verdicts.append(UInt8(ascii: "e"))
      case .fail:
        let isVacuous = cluster >= 0 && summary.clusters[Int(cluster)].kind == .vacuous
        verdicts.append(UInt8(ascii: isVacuous ? "v" : "f"))
      }
      if cluster >= 0 { reasons.append("\(cluster)") }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * summary.attempts.count + 10_000)
    func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func strings(_ texts: [String]) -> String {
      "[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]"
    }
    add("{\"S\":\(strings(summary.slices.map { VisibleText.line($0.name) }))")
    add(",\"C\":\(strings(cases)),\"R\":\(strings(summary.clusters.map(Self.reason)))")
    add(",\"V\":\(strings(summary.slices.map { VisibleText.line($0.key.variant) }))")
    add(",\"M\":\(strings(summary.slices.map { VisibleText.line(model(of: $0)) }))")
    let tagsOfSuites = summary.slices.map {
      VisibleText.line($0.suite?.tags.joined(separator: " ") ?? "")
    }
    add(",\"I\":\(strings(inputs))")
    add(",\"T\":\(strings(tags)),\"W\":\(strings(tagsOfSuites)),\"Q\":[")
    add(summary.slices.map { strings(command(of: $0)) }.joined(separator: ","))
    add("]")
    let answers = AttemptAnswers(document)
    if !answers.texts.isEmpty {
      add(",\"O\":\(strings(answers.texts))")
      add(",\"o\":[\(answers.ofAttempt.map(String.init).joined(separator: ","))]")
      if answers.before.contains(where: { $0 >= 0 }) {
        add(",\"p\":[\(answers.before.map(String.init).joined(separator: ","))]")
      }
    }
    add(",\"b\":[\(blocks.joined(separator: ","))],\"v\":\"")
    bytes += verdicts
    add("\",\"r\":[\(reasons.joined(separator: ","))],\"t\":[")
    for (index, attempt) in summary.attempts.enumerated() {
      if index > 0 { add(",") }
      add(String(attempt.outputTokens))
    }
    add("],\"m\":[")
    for (index, attempt) in summary.attempts.enumerated() {
      if index > 0 { add(",") }
      add(NumberText.plain(attempt.duration * 1000, attempt.duration < 0.01 ? 1 : 0))
    }
    add("]")
    if summary.lengthOfAttempt.contains(where: { $0 >= 0 }) {
      add(",\"l\":[\(summary.lengthOfAttempt.map(String.init).joined(separator: ","))]")
    }
    if !summary.branchPairs.isEmpty {
      add(",\"G\":\(strings(summary.branchPairs))")
      add(",\"g\":[\(summary.branchOfAttempt.map(String.init).joined(separator: ","))]")
    }
    add("}")
    return bytes
  }

  /// The backend's id and its model, which the filter `model:` searches.
  private func model(of slice: SliceSummary) -> String {
    let record = document.run.backends.first { $0.id == slice.key.backend }
    return [slice.key.backend, record?.model ?? ""].joined(separator: " ")
  }

  /// The suite of a slice, and the options of the command that shows one of its attempts.
  private func command(of slice: SliceSummary) -> [String] {
    let key = AttemptKey(
      suite: slice.key.suite, variant: slice.key.variant, backend: slice.key.backend, caseID: "",
      repeatIndex: 0)
    let options = document.showOptions(for: key, namesRun: true).joined(separator: " ")
    return [VisibleText.line(slice.key.suite), VisibleText.line(options)]
  }
}
