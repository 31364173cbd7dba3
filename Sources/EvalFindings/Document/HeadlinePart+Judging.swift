import EvalRecords

extension HeadlinePart {
  private static let maximumEdited = 200

  /// Says which rules that judge answers were edited, and which baselines were judged anew.
  package static func edited(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let lists = [
      ("Edited: ", comparisons.map { ($0.candidate.suite, $0.editedWords) }),
      ("", comparisons.map { ($0.candidate.suite, $0.judgedAnewWords?.capitalizedFirst) }),
    ]
    for (label, all) in lists {
      let words = all.compactMap { suite, words in
        words.map { text in
          comparisons.count > 1
            ? "\(text)\(suite.map { " in \(VisibleText.line($0))" } ?? "")" : text
        }
      }
      guard !words.isEmpty else { continue }
      let more = words.count > 2 ? "; and more in \((words.count - 2).counted("suite"))" : ""
      let shown = ClippedText.line(words.prefix(2).joined(separator: "; "), limit: maximumEdited)
      sentence.add("\(label)\(shown)\(more)" + (shown.hasSuffix("…") && more.isEmpty ? "" : "."))
    }
    return sentence
  }
}

extension String {
  /// The text with its first letter capitalized.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
