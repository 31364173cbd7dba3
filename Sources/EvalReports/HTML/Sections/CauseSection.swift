import EvalFindings
import EvalRecords
import EvalStatistics

/// The list below the verdict: the causes of failures, each with its next step.
struct CauseSection {
  let document: ReportDocument

  func write(to w: inout HTMLWriter) {
    let list = document.causeList(CauseList.maximum)
    guard !list.news.isEmpty || !list.known.isEmpty else { return }
    w.element("ul", .class("causes"), .init("aria-label", "Causes, with the next step for each")) {
      w in
      for (number, news) in list.news.enumerated() { item(news, number, list, to: &w) }
      if !list.known.isEmpty {
        w.element("li", .class("faint")) { w in
          w.element("details") { w in
            w.element("summary", text: list.knownWords)
            w.element("ul", .class("causes")) { w in
              for (number, known) in list.known.enumerated() {
                item(known, list.news.count + number, list, to: &w)
              }
            }
          }
        }
      }
      if !list.rest.isEmpty {
        w.element("li", .class("faint")) { w in
          w.element("a", .fragment("failures"), text: list.rest.otherWords)
          w.text(".")
        }
      }
    }
  }

  private func item(
    _ news: CauseNews, _ number: Int, _ list: CauseList, to w: inout HTMLWriter
  ) {
    let cause = news.cause
    w.element("li") { w in
      w.element("a", .class("bad"), .fragment(cause.id), text: cause.clause(of: list.attempts))
      w.text(", \(news.whereWords(of: list.attempts, since: document.since(cause))).")
      // The run's own next step has a command; the tree of failures has those of the causes.
      Self.next(
        cause, document.causeStepLabel(number), document, hasCommand: document.runStep == nil,
        to: &w)
    }
  }

  /// Writes the next step for a cause, with the command that shows an attempt.
  ///
  /// Only if `hasCommand`, steps other than to inspect an attempt have the command too.
  static func next(
    _ cause: FailureCause, _ label: String, _ document: ReportDocument, hasCommand: Bool = true,
    to w: inout HTMLWriter
  ) {
    let step = document.nextStep(for: cause)
    w.element("span", .class("next")) { w in
      if step == .inspect, document.runStep != nil {
        w.element("b", text: "Inspect: ")
      } else {
        w.element("b", text: label)
        w.text(step.words)
        guard hasCommand || step == .inspect else { return w.text(".") }
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
