import EvalFindings
import EvalRecords

/// The last section, which explains how Assay computed the numbers and what the terms mean.
struct MethodSection {
  let document: ReportDocument

  func write(to w: inout HTMLWriter) {
    w.element("footer", .id("method")) { w in
      w.element("h2", text: "Method")
      for paragraph in paragraphs { w.element("p", text: paragraph) }
      w.element("details") { w in
        w.element("summary", text: "Glossary")
        w.element("dl", .class("keys")) { w in
          for entry in Glossary.entries {
            w.element("dt", text: entry.term)
            w.element("dd", text: entry.text)
          }
        }
      }
    }
    w.newline()
  }

  private var paragraphs: [String] {
    var paragraphs = [
      "An attempt passes if at least one assertion holds and none fails; if its test case has a "
        + "threshold, the score decides. An assertion about each element of an empty array has "
        + "nothing to check: it is vacuous (∅), which is never a pass. An attempt with only "
        + "vacuous assertions fails.",
      "Every attempt that was made counts. If it ended in an error, a refusal or a cut-off answer, "
        + "it counts as not passed. Attempts that were planned but not made don’t count.",
      "The 95\u{A0}% interval of a rate is about all inputs like those of the suite: the test "
        + "cases are the sample, and repeats of a test case add little. “0 of n” has an interval "
        + "too: a failure that was not observed may still happen. In a row about one test case, "
        + "the interval is about new answers to this test case; copies of an answer count once.",
      "A gate judges the first variant of a suite on each backend. It requires that a "
        + "certain share of attempts pass and that no guardrail fails; it may have more "
        + "conditions. The exit status shows whether a gate was missed.",
    ]
    if !document.comparisons.isEmpty || document.baseline != nil {
      paragraphs.append(
        "“Worse” and “better” mean that the change exceeds the margin and that chance doesn’t "
          + "explain it: its adjusted p is at most the level α of the tests. “No change” means "
          + "that the data exclude a larger worsening than the comparison tolerates. “Too few to "
          + "tell” means that they don’t exclude it. “How this was tested” names the method of "
          + "each interval of a change.")
    }
    if !document.summary.decisions.isEmpty {
      paragraphs.append(
        "Each option of a decision has three probabilities: “before the mask” is the model’s own, "
          + "“after the mask” is the one under the schema’s rules, and “after temperature” is the "
          + "one used for sampling. All three are conditional on the text that the model had "
          + "written so far. Assay first takes the mean over the attempts at each test case, then "
          + "the mean over the test cases. Probability is unresolved if it belongs to tokens that "
          + "Assay did not follow to an option. The page leaves out decisions with more than "
          + "5\u{A0}% unresolved probability, and says how many.")
      paragraphs.append(
        "Mass removed is the probability that the model gave, before the mask, to tokens that the "
          + "schema forbids at that step.")
    }
    if document.run.backends.contains(where: \.isToy) {
      paragraphs.append(
        "A toy model takes the place of a production model, so that you can try the harness "
          + "anywhere. Its pass rates say nothing about any other model.")
    }
    let digests = document.run.backends.compactMap { backend in
      backend.modelDigest.map {
        "\(VisibleText.line(backend.model)) has the SHA-256 \(VisibleText.line($0))."
      }
    }
    if !digests.isEmpty { paragraphs.append(digests.joined(separator: " ")) }
    for (id, use) in (document.run.details.evaluations ?? [:]).sorted(by: { $0.key < $1.key }) {
      paragraphs.append(
        "\(VisibleText.line(id)): \(use.words). The engine computes shared prefixes once and "
          + "decodes answers in batches, which doesn’t change any answer.")
    }
    for (id, use) in (document.run.details.served ?? [:]).sorted(by: { $0.key < $1.key }) {
      paragraphs.append(
        "\(VisibleText.line(id)): " + VisibleText.line(use.lines.joined(separator: ". ")) + ".")
    }
    let commit = document.run.commit.map { ", suites at commit " + VisibleText.line($0) } ?? ""
    paragraphs.append(
      "This page is a single file, loads nothing else, and works with scripts and styles off. "
        + "It was made only from stored records: those of run \(document.run.id) "
        + "(by assay \(VisibleText.line(document.run.toolVersion))\(commit)) and those of any runs "
        + "that the page compares it with. The same records give the same bytes.")
    return paragraphs
  }
}

/// The dialog that lists the keyboard shortcuts; the key `?` opens the dialog.
enum KeysDialog {
  static func write(to w: inout HTMLWriter) {
    w.element("dialog", .id("keys"), .init("aria-labelledby", "keyt")) { w in
      w.element("h2", .id("keyt"), text: "Keys")
      w.element("dl") { w in
        w.row(["/"], "go to the filter of the attempts")
        w.row(["j", "k"], "go to the next or the previous group of failures, or input in its list")
        w.row(["← ↑ → ↓", "Home", "End"], "move in a grid of test cases")
        w.row(["g"], "go to the top of the page")
        w.row(["?"], "open this list")
        w.row(["Esc"], "leave a field, or close this list")
      }
      w.element("h2", text: "Filter")
      FilterGrammar.write(to: &w)
      w.element("form", .init("method", "dialog")) { w in w.element("button", text: "Close") }
    }
    w.newline()
  }
}

/// The syntax of the filter of all attempts.
enum FilterGrammar {
  static func write(to w: inout HTMLWriter) {
    w.element("dl", .class("keys")) { w in
      w.row(
        ["tides"],
        "a text in the suite, test case, reason, input or answer; all words must match")
      w.row(
        ["suite:", "case:", "why:", "input:", "answer:"],
        "the start of the suite; a text in the test case, the reason, the input, or the answer")
      w.row(
        ["variant:", "model:", "tag:"],
        "the start of the variant; a text in the backend or model; the start of a tag")
      w.row(["is:"], "the outcome: pass, fail, error, vacuous or skipped")
      w.row(
        ["change:"], "the change of the test case since the baseline: broken, fixed or same")
      w.row(["len:0", "len:<3"], "the length of the answer’s first array")
      w.row(
        ["branch:unclear>craving", "branch:>slip"],
        "the expected and the chosen branch, or a part of this text")
      w.row(
        ["ms:>600", "tok:<9", "repeat:3"],
        "the time, tokens or repeat: a number, or <, <=, > or >= and a number")
      w.row(["!"], "not the term that follows; words in quotes are one term")
    }
  }
}

extension HTMLWriter {
  /// Writes keys and their meanings.
  fileprivate mutating func row(_ keys: [String], _ meaning: String) {
    element("dt") { w in
      for (position, key) in keys.enumerated() {
        if position > 0 { w.text(" ") }
        w.element("kbd", text: key)
      }
    }
    element("dd", text: meaning)
  }
}
