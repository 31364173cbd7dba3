import EvalFindings
import EvalRecords
import StructuredText

/// The inputs and answers that the pane shows for each test case, as JSON.
///
/// ```
/// [{ "id": "tides", "at": "case=flashcards/tides", "in": "the input",
///    "p": "P(fewer than 3) at $.cards: 17.9 % → 41.7 %",
///    "r": [{ "n": 0, "b": "p", "a": "f", "why": "2 elements, at least 3 expected",
///            "v": [["$.cards[0].front", [0, "same words", 1, "removed", 2, "added"], "a"]],
///            "s": 3, "m": 0 }] }]
/// ```
///
/// `b` and `a` are the outcomes of a repeat in the baseline and in this run, by their first
/// letters. The third entry of a value names the side that lacks it, if there is one. `s` and `m`
/// count the values that are left out although both sides have them, and although they differ.
struct ChangeData {
  let changes: ArraySlice<ChangedCase>

  /// The maximum size of the data in bytes.
  private static let room = 600_000
  /// The maximum number of repeats of a test case.
  private static let maximumRepeats = 12
  /// The maximum size of an input in bytes.
  private static let longestInput = 4000

  func write(to w: inout HTMLWriter) { w.data(id: "change-data", json: json) }

  private var json: [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for change in changes {
      let entry = Self.value(of: change).compactText
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      // A test case without room keeps its place, because rows refer to it by number.
      bytes += bytes.count + entry.utf8.count > Self.room ? Array("null".utf8) : Array(entry.utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  private static func value(of change: ChangedCase) -> JSONValue {
    var members: JSONObject = [
      "id": .string(VisibleText.line(change.summary.id)), "at": .string(change.address),
      "in": .string(ClippedText(VisibleText.visible(change.input), limit: longestInput).noted),
    ]
    if let p = change.probability {
      let name = VisibleText.line(p.quantity.title(.measured))
      members["p"] = .string(
        "\(name): \(NumberText.percent(p.baseline)) → \(NumberText.percent(p.candidate))")
    }
    members["r"] = .array(
      change.pairs.prefix(maximumRepeats).map { value(of: $0.baseline, $0.candidate) })
    members["more"] = .number(JSONNumber(max(0, change.pairs.count - maximumRepeats)))
    return .object(members)
  }

  private static func value(of baseline: AttemptRecord, _ candidate: AttemptRecord) -> JSONValue {
    let difference = AnswerDifference(from: baseline.output, to: candidate.output)
    return [
      "n": .number(JSONNumber(candidate.key.repeatIndex)),
      "b": .string(letter(baseline)), "a": .string(letter(candidate)),
      "why": .string(reason(candidate)), "was": .string(reason(baseline)),
      "v": .array(difference.rows.map(value(of:))),
      "s": .number(JSONNumber(difference.leftOutSame)),
      "m": .number(JSONNumber(difference.leftOutChanged)),
    ]
  }

  static func value(of row: AnswerDifference.Row) -> JSONValue {
    let parts = row.parts.flatMap { part -> [JSONValue] in
      switch part {
      case .same(let text): [0, .string(text)]
      case .removed(let text): [1, .string(text)]
      case .added(let text): [2, .string(text)]
      }
    }
    let missing: [JSONValue] =
      switch row.missing {
      case .baseline: ["b"]
      case .candidate: ["a"]
      case nil: []
      }
    return .array([.string(VisibleText.line(row.place)), .array(parts)] + missing)
  }

  private static func letter(_ attempt: AttemptRecord) -> String {
    String(attempt.outcome.rawValue.prefix(1))
  }

  /// The reason why an attempt failed; empty if it passed.
  private static func reason(_ attempt: AttemptRecord) -> String {
    attempt.outcome == .pass || attempt.outcome == .skipped
      ? "" : ClippedText(VisibleText.line(attempt.failureWords), limit: 240).text
  }
}

extension ChangedCase {
  /// The fragment of the page's address that opens the test case.
  var address: String { slice.address(of: summary.id) }
}

extension SliceSummary {
  /// The fragment of the page's address that leads to a test case: `case=flashcards/tides`.
  ///
  /// It stays the same if test cases are added or reordered. The variant and the backend follow if
  /// the suite has several.
  func address(of caseID: String) -> String {
    CaseAddress.text(key, caseID, isOnly: name == key.suite)
  }
}

/// The stable address of a test case on a page.
enum CaseAddress {
  /// - Parameter isOnly: Whether the suite has only one slice in the run.
  static func text(_ key: SliceKey, _ caseID: String, isOnly: Bool) -> String {
    VisibleText.line(
      "case=\(key.suite)/\(caseID)" + (isOnly ? "" : "/\(key.variant)/\(key.backend)"))
  }
}
