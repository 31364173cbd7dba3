import EvalRecords

/// The causes of failures below the verdict, each with what to do next.
struct CauseList {
  let document: ReportDocument

  /// Causes beyond these are only in the tree of failures.
  private static let maximum = 4

  init(_ document: ReportDocument) { self.document = document }

  func write(to w: inout HTMLWriter) {
    let causes = document.causes
    guard !causes.isEmpty else { return }
    w.element("ul", .class("causes"), .init("aria-label", "Causes, with what to do next")) { w in
      for cause in causes.prefix(Self.maximum) {
        w.element("li") { w in
          w.element("a", .class("bad"), .fragment(cause.target), text: cause.clause)
          w.text(", \(cause.whereWords).")
          Self.next(cause.step, command: cause.command, to: &w)
        }
      }
      let rest = causes.dropFirst(Self.maximum)
      if !rest.isEmpty {
        let attempts = rest.reduce(0) { $0 + $1.share.hits }
        w.element("li", .class("faint")) { w in
          w.element(
            "a", .fragment("failures"),
            text: "\(NumberText.count(attempts, "other attempt")) failed in "
              + NumberText.count(rest.count, "other way"))
          w.text(".")
        }
      }
    }
  }

  /// Writes what to do next, with the command that shows an attempt.
  static func next(_ step: NextStep, command: String, to w: inout HTMLWriter) {
    w.element("span", .class("next")) { w in
      w.element("b", text: "Do next: ")
      w.text(step.words)
      w.text(step == .inspect ? ": " : ". Inspect: ")
      w.command(command)
    }
  }
}

extension HTMLWriter {
  /// Writes a command that the page's script can copy.
  mutating func command(_ text: String) {
    element("code", .class("command"), text: VisibleText.line(text))
  }
}
