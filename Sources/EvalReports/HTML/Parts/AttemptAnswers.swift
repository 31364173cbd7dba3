import EvalFindings
import EvalRecords

/// The distinct answers that readers can open from the table of all attempts, up to a size limit.
///
/// Repeats of a test case often give the same text, so the page contains each text only once. The
/// first repeats of all test cases come first, then all second repeats, and so on. In this order,
/// most test cases have an answer on the page even if the limit is tight.
struct AttemptAnswers {
  private(set) var texts: [String] = []
  /// The index of each attempt's text, or -1 if the text is empty or the page leaves it out.
  private(set) var ofAttempt: [Int32]
  /// The index of the baseline's text for the same test case and repeat, or -1 if there is none or
  /// the page leaves it out.
  private(set) var before: [Int32]

  /// The maximum size of all texts together, in bytes.
  private static let room = 900_000
  /// The maximum size of one text in bytes.
  private static let longest = 2000
  /// The number of attempts above which the page leaves out the baseline's answers.
  private static let maximumLookups = 5000

  init(_ document: ReportDocument) {
    let attempts = document.summary.attempts
    ofAttempt = [Int32](repeating: -1, count: attempts.count)
    before = ofAttempt
    var numbers: [String: Int32] = [:]
    var room = Self.room
    func number(of output: String, texts: inout [String]) -> Int32 {
      guard !output.isEmpty else { return -1 }
      if let number = numbers[output] { return number }
      let shown = ClippedText(VisibleText.visible(output), limit: Self.longest).noted
      guard shown.utf8.count <= room else { return -1 }
      room -= shown.utf8.count + 4
      let number = Int32(texts.count)
      texts.append(shown)
      numbers[output] = number
      return number
    }
    let order = attempts.indices.sorted {
      attempts[$0].key.repeatIndex < attempts[$1].key.repeatIndex
    }
    for index in order { ofAttempt[index] = number(of: attempts[index].output, texts: &texts) }
    guard document.hasBaseline, attempts.count <= Self.maximumLookups else { return }
    for index in order {
      guard let earlier = document.attemptBefore(attempts[index]) else { continue }
      before[index] = number(of: earlier.output, texts: &texts)
    }
  }
}
