import EvalRecords
import EvalStatistics

/// The list below the verdict: the causes of failures, each with its next step.
struct CauseList {
  let document: ReportDocument

  /// The maximum number of causes to list, not counting guarded causes
  /// (``FailureCause/isGuarded``).
  ///
  /// The tree of failures has the other causes.
  private static let maximum = 4

  init(_ document: ReportDocument) { self.document = document }

  func write(to w: inout HTMLWriter) {
    let (causes, rest) = document.shownCauses(Self.maximum)
    guard !causes.isEmpty else { return }
    let attempts = document.summary.tally.attempts
    let judged = document.judgedSlices.reduce(0) { $0 + $1.tally.attempts }
    if judged < attempts {
      let failed = Share(document.summary.tree.failed, of: attempts).counts
      w.element("p", .class("note"), text: "\(failed) attempts failed:")
    }
    w.element("ul", .class("causes"), .init("aria-label", "Causes, with the next step for each")) {
      w in
      for (number, cause) in causes.enumerated() {
        w.element("li") { w in
          w.element("a", .class("bad"), .fragment(cause.id), text: cause.clause(of: attempts))
          w.text(", \(cause.whereWords(of: attempts, since: document.since(cause))).")
          Self.next(cause, document.causeStepLabel(number), document, to: &w)
        }
      }
      if !rest.isEmpty {
        w.element("li", .class("faint")) { w in
          w.element("a", .fragment("failures"), text: rest.otherWords)
          w.text(".")
        }
      }
    }
  }

  /// Writes the next step for a cause, with the command that shows an attempt.
  ///
  /// - Parameters:
  ///   - cause: The cause.
  ///   - label: The label before the step.
  ///   - document: The report.
  ///   - w: The page.
  static func next(
    _ cause: FailureCause, _ label: String, _ document: ReportDocument, to w: inout HTMLWriter
  ) {
    let step = document.nextStep(for: cause)
    w.element("span", .class("next")) { w in
      if step == .inspect, document.runStep != nil {
        w.element("b", text: "Inspect: ")
      } else {
        w.element("b", text: label)
        w.text(step.words)
        w.text(step == .inspect ? ": " : ". Inspect: ")
      }
      w.command(document.command(for: cause))
    }
  }
}

extension HTMLWriter {
  /// Writes a next step: a label, words with names between backticks, and a command if there is
  /// one.
  mutating func step(_ label: String, _ words: String, _ command: String?) {
    element("span", .class("next")) { w in
      w.element("b", text: label)
      w.quoting(words)
      w.text(command == nil ? "." : ": ")
      if let command { w.command(command) }
    }
  }

  /// Writes a command that the page's script can copy.
  ///
  /// Lines break between the words of the command, not at the hyphens of an option or a name.
  mutating func command(_ text: String) {
    element("code", .class("command")) { w in
      let words = VisibleText.line(text).split(separator: " ", omittingEmptySubsequences: false)
      for (number, word) in words.enumerated() {
        if number > 0 { w.text(" ") }
        if word.contains("-"), word.count <= 36 {
          w.element("span", .class("nowrap"), text: String(word))
        } else {
          w.text(String(word))
        }
      }
    }
  }

  /// Writes a text, with the parts between backticks as code.
  mutating func quoting(_ text: String) {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    // If a backtick has no partner, write all backticks as they are.
    guard parts.count % 2 == 1 else { return self.text(text) }
    for (number, part) in parts.enumerated() where !part.isEmpty {
      if number % 2 == 0 { self.text(String(part)) } else { element("code", text: String(part)) }
    }
  }
}
