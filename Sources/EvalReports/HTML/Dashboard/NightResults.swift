import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText

/// The inputs of test cases, and their last good and first bad answers, from the files
/// `results.jsonl` in the folders of the nights.
struct NightResults {
  /// A test case's counterpart in one of the files.
  private struct Pair {
    var good: (place: Int, answer: StoredResults.Answer)?
    var bad: (place: Int, answer: StoredResults.Answer)?
  }

  /// The number of test cases whose input the page holds.
  private(set) var inputs = 0
  /// The number of test cases with an answer on the page.
  private(set) var answers = 0
  private var inputOf: [StoredResults.Key: JSONValue] = [:]
  /// The test cases whose input the page holds without any change, so that it can be copied.
  private var exact: Set<StoredResults.Key> = []
  private var pairs: [StoredResults.Key: Pair] = [:]

  /// The maximum number of test cases with answers.
  private static let maximumAnswers = 400
  /// The maximum size of all inputs together, in bytes.
  private static let roomOfInputs = 1_000_000
  /// The maximum size of all answers together, in bytes.
  private static let roomOfAnswers = 1_000_000
  /// The maximum size of all files that are read, in bytes.
  private static let roomOfFiles = 64_000_000

  /// Reads the files that have the wanted answers, those with the most of them first.
  init(
    _ suites: [(key: SliceKey, rows: [GridRow])], _ view: NightView, _ read: (Int) -> [UInt8]?
  ) {
    let entries = view.entries
    func isLinked(_ place: Int) -> Bool {
      entries[place].map { view.history.linked.contains($0.identity) } ?? false
    }
    var wanted: [Int: [StoredResults.Key]] = [:]
    let failing = suites.flatMap { key, rows in
      rows.filter { $0.firstBad != nil }.map { (StoredResults.Key(key, $0.id), $0) }
    }
    for (key, row) in failing.prefix(Self.maximumAnswers) {
      for place in Set([row.firstBad, row.lastGood].compactMap { $0 }) where isLinked(place) {
        wanted[place, default: []].append(key)
      }
    }
    let rows = Dictionary(first: failing)
    let newest = entries.indices.last { isLinked($0) }
    if let newest { wanted[newest, default: []] += [] }
    var room = Self.roomOfFiles
    let order = wanted.sorted {
      (($1.key == newest ? 1 : 0), $1.value.count, $0.key)
        < (($0.key == newest ? 1 : 0), $0.value.count, $1.key)
    }
    for (place, keys) in order {
      guard room > 0, let run = entries[place]?.run, let bytes = read(run) else { continue }
      room -= bytes.count
      let found = StoredResults(bytes, wanted: Set(keys), readsInputs: place == newest)
      if place == newest { keep(found.inputs, of: suites) }
      for key in keys {
        guard let row = rows[key] else { continue }
        if place == row.lastGood, let answer = found.passing[key] {
          pairs[key, default: Pair()].good = (place, answer)
        }
        if place == row.firstBad, let answer = found.failing[key] {
          pairs[key, default: Pair()].bad = (place, answer)
        }
      }
    }
    var space = Self.roomOfAnswers
    for (key, _) in failing {
      guard let pair = pairs[key] else { continue }
      space -=
        (pair.good?.answer.output.utf8.count ?? 0) + (pair.bad?.answer.output.utf8.count ?? 0)
      if space < 0 { pairs[key] = nil } else { answers += 1 }
    }
  }

  private mutating func keep(
    _ found: [StoredResults.Key: JSONValue], of suites: [(key: SliceKey, rows: [GridRow])]
  ) {
    var room = Self.roomOfInputs
    for (key, rows) in suites {
      for row in rows {
        let own = StoredResults.Key(key, row.id)
        guard let input = found[own.ofSuite] else { continue }
        let shown = Self.visible(input)
        if shown == input, input.isKeptByScripts { exact.insert(own) }
        room -= shown.compactText.utf8.count
        guard room > 0 else { return }
        inputOf[own] = shown
        inputs += 1
      }
    }
  }

  /// Adds a test case's input and answers to its facts.
  func add(_ key: SliceKey, _ row: GridRow, to members: inout JSONObject) {
    let own = StoredResults.Key(key, row.id)
    if let input = inputOf[own] {
      members["v"] = input
      if exact.contains(own) { members["e"] = true }
    }
    guard let pair = pairs[own] else { return }
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    if let good = pair.good { members["g"] = [number(good.place), number(good.answer.index)] }
    if let bad = pair.bad {
      let reason = ClippedText(VisibleText.line(bad.answer.reason), limit: 240).text
      members["b"] = [number(bad.place), number(bad.answer.index), .string(reason)]
    }
    let difference = AnswerDifference(
      from: pair.good?.answer.output ?? "", to: pair.bad?.answer.output ?? "")
    members["d"] = .array(difference.rows.map(ChangeData.value(of:)))
    let more = difference.leftOutSame + difference.leftOutChanged
    if more > 0 { members["m"] = number(more) }
  }

  /// A value whose texts show their hidden characters, cut to a readable length.
  private static func visible(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text):
      return .string(ClippedText(VisibleText.visible(text), limit: 2_000).noted)
    case .array(let elements): return .array(elements.map(visible))
    case .object(let object):
      return .object(
        JSONObject(object.members.map { (key: VisibleText.line($0.key), value: visible($0.value)) })
      )
    default: return value
    }
  }
}
