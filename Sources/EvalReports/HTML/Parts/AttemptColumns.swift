import EvalFindings
import EvalRecords
import StructuredText

/// The data of all attempts as JSON columns: about ten bytes per attempt, not counting the answers.
///
/// A slice is a suite in one variant on one backend. All entries are numbered from 0, in the order
/// of their lists.
///
/// ```
/// N  the number of the run
/// S  the names of the slices
/// V  the variant of each slice
/// B  the backend of each slice
/// M  the backend and the model of each slice
/// Q  the suite of each slice, and the options of the command that shows one of its attempts
/// C  the ids of the test cases, those of each suite by themselves
/// T  the tags of each test case
/// I  the input of each test case; empty if the page has no room for it
/// K  the names of variables
/// X  the variables of each test case: an object; or the number of the name of the only variable,
///    whose value is the input; or null if the page has no room; or false if the suite stores only
///    digests
/// W  the tags of each slice's suite
/// R  the reasons for failures
/// b  blocks of attempts: [slice, test case, number of attempts]; if the repeats are not 0, 1, 2 …,
///    a fourth entry lists them
/// D  for each block, how the test case changed since the baseline: b broken, f fixed, s same, or
///    - if nothing was compared
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
  let document: ReportDocument

  /// The maximum size of all inputs together, in bytes.
  private static let roomForInputs = 300_000
  /// The maximum size of an input in bytes.
  private static let longestInput = 600
  /// The maximum size of a test case's variables in bytes.
  private static let longestVariables = 4000

  private var summary: RunSummary { document.summary }

  /// The reason for a failure, as the table shows it.
  static func reason(_ cluster: FailureCluster) -> String {
    ClippedText(VisibleText.line(cluster.title), limit: 160).text
  }

  func write(to w: inout HTMLWriter) { w.data(id: "rows", json: json) }

  /// The test cases, and the blocks of their attempts.
  private struct Cases {
    var ids: [String] = []
    var tags: [String] = []
    var inputs: [String] = []
    var names: [String] = []
    var variables: [String] = []
    var blocks: [String] = []
    var changes = ""
    private var numbers: [[String]: Int] = [:]
    private var room = AttemptColumns.roomForInputs
    private var roomForVariables = AttemptColumns.roomForInputs

    /// Adds the attempts at a test case, and the test case if it is new.
    mutating func add(
      _ summary: CaseSummary, of slice: SliceSummary, _ number: Int, _ run: RunSummary
    ) {
      let key = [slice.key.suite, summary.id]
      let place = numbers[key] ?? ids.count
      if numbers[key] == nil {
        numbers[key] = place
        ids.append(VisibleText.line(summary.id))
        tags.append(VisibleText.line(summary.record?.tags.joined(separator: " ") ?? ""))
        let input = ClippedText(
          VisibleText.line(summary.record?.input ?? ""), limit: AttemptColumns.longestInput)
        room -= input.text.utf8.count
        inputs.append(room < 0 ? "" : input.text)
        let own =
          slice.suite?.details.store == .digests
          ? "false" : exact(summary.record?.variables, shownAs: inputs[place])
        variables.append(own)
      }
      let repeats = run.attempts[summary.range].map(\.key.repeatIndex)
      let isPlain = repeats.enumerated().allSatisfy { $0.offset == $0.element }
      let list = isPlain ? "" : ",[\(repeats.map(String.init).joined(separator: ","))]"
      blocks.append("[\(number),\(place),\(repeats.count)\(list)]")
    }

    /// Returns the variables without any change, as JSON without hidden characters.
    private mutating func exact(_ variables: JSONValue?, shownAs input: String) -> String {
      let members = (variables?.object?.members ?? []).filter { !$0.key.hasPrefix("env.") }
      if members.count == 1, !input.isEmpty, members[0].value.string == input {
        let name = VisibleText.line(members[0].key)
        let number = names.firstIndex(of: name) ?? names.count
        if number == names.count { names.append(name) }
        return "\(number)"
      }
      let text = JSONValue.object(JSONObject(members.map { (key: $0.key, value: $0.value) }))
        .compactText
      guard !members.isEmpty, text.utf8.count <= AttemptColumns.longestVariables,
        members.allSatisfy({ $0.value.isKeptByScripts })
      else { return "null" }
      roomForVariables -= text.utf8.count
      guard roomForVariables >= 0 else { return "null" }
      return text.unicodeScalars.map { scalar in
        VisibleText.isHidden(scalar)
          ? String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }.joined()
          : String(scalar)
      }.joined()
    }
  }

  private var json: [UInt8] {
    var cases = Cases()
    let changed = Dictionary(
      first: document.changes.map { ([$0.slice.name, $0.summary.id], $0.direction) })
    for (number, slice) in summary.slices.enumerated() {
      for summaryOfCase in slice.cases where !summaryOfCase.range.isEmpty {
        cases.add(summaryOfCase, of: slice, number, summary)
        let direction = changed[[slice.name, summaryOfCase.id]]
        cases.changes += direction.map { String($0.rawValue.prefix(1)) } ?? "-"
      }
    }
    var verdicts = ""
    for (index, attempt) in summary.attempts.enumerated() {
      let cluster = summary.clusterOfAttempt[index]
      let isVacuous = cluster >= 0 && summary.clusters[Int(cluster)].kind == .vacuous
      verdicts += isVacuous ? "v" : attempt.outcome.rawValue.prefix(1)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * summary.attempts.count + 10_000)
    func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func list(_ name: String, _ values: some Sequence<String>) {
      add(",\"\(name)\":[")
      for (number, value) in values.enumerated() { add(number == 0 ? value : "," + value) }
      add("]")
    }
    func lines(_ name: String, _ texts: some Sequence<String>) {
      list(name, texts.lazy.map { JSONWriter.quoted(VisibleText.line($0)) })
    }
    func numbers(_ name: String, _ values: some Sequence<Int32>) {
      list(name, values.lazy.map { "\($0)" })
    }
    let slices = summary.slices
    add("{\"N\":\(document.run.id)")
    lines("S", slices.map(\.name))
    lines("C", cases.ids)
    lines("R", summary.clusters.map(Self.reason))
    lines("B", slices.map(\.key.backend))
    lines("V", slices.map(\.key.variant))
    lines("M", slices.map(model))
    lines("I", cases.inputs)
    lines("K", cases.names)
    list("X", cases.variables)
    lines("T", cases.tags)
    lines("W", slices.map { $0.suite?.tags.joined(separator: " ") ?? "" })
    list("Q", slices.map { JSONValue.array(command(of: $0).map { .string($0) }).compactText })
    let answers = AttemptAnswers(document)
    if !answers.texts.isEmpty {
      list("O", answers.texts.map { JSONWriter.quoted($0) })
      numbers("o", answers.ofAttempt)
      if answers.before.contains(where: { $0 >= 0 }) { numbers("p", answers.before) }
    }
    if !document.changes.isEmpty { add(",\"D\":\"\(cases.changes)\"") }
    list("b", cases.blocks)
    add(",\"v\":\"\(verdicts)\"")
    numbers("r", summary.clusterOfAttempt.filter { $0 >= 0 })
    list("t", summary.attempts.lazy.map { $0.measures.outputTokens.map(String.init) ?? "null" })
    list(
      "m",
      summary.attempts.lazy.map {
        $0.measures.seconds.map { NumberText.plain($0 * 1000, $0 < 0.01 ? 1 : 0) } ?? "null"
      }
    )
    if summary.lengthOfAttempt.contains(where: { $0 >= 0 }) {
      numbers("l", summary.lengthOfAttempt)
    }
    if !summary.branchPairs.isEmpty {
      list("G", summary.branchPairs.map { JSONWriter.quoted($0) })
      numbers("g", summary.branchOfAttempt)
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
    let options = document.showOptions(for: key).joined(separator: " ")
    return [VisibleText.line(slice.key.suite), VisibleText.line(options)]
  }
}

extension JSONValue {
  /// Whether a script reads the value without rounding a number.
  var isKeptByScripts: Bool {
    switch self {
    case .number(let number):
      Double(number.text).map { JSONNumber($0).text == number.text } ?? false
    case .array(let elements): elements.allSatisfy(\.isKeptByScripts)
    case .object(let object): object.members.allSatisfy(\.value.isKeptByScripts)
    case .null, .bool, .string: true
    }
  }
}
