import EvalRecords

/// The section that explains the numbers.
struct MethodSection {
  let document: ReportDocument

  init(_ document: ReportDocument) { self.document = document }

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
      "An attempt passes if no assertion fails and at least one passes. A “for all” assertion over "
        + "an empty array is vacuous (∅): it is never a pass, and an attempt with only "
        + "vacuous assertions fails.",
      "Every attempt counts: one that ended in an error, a refusal or a cut-off answer stays in the "
        + "denominator as not passed. Attempts that were planned but not run are not counted.",
      "Intervals of rates are Wilson’s, 95\u{A0}%. They treat attempts as independent; repeats of a "
        + "case are alike, so the true uncertainty about new inputs is larger. “0 of n” still "
        + "has an interval: zero observed is not zero risk.",
      "For each backend, a gate requires a share of passing attempts in the default variant, and "
        + "that no guardrail fails. The exit status reflects the gates.",
    ]
    if !document.comparisons.isEmpty || document.baseline != nil {
      paragraphs.append(
        "“Worse” and “better” need an adjusted p below 0.05 and an interval wholly on one side of "
          + "zero. “No change” means that none was shown, not that there is none. Differences have "
          + "Newcombe’s interval unless the row says otherwise.")
    }
    if !document.summary.decisions.isEmpty {
      paragraphs.append(
        "Decision probabilities: before the mask, the model’s own probability of an option; after "
          + "the mask, its probability under the schema’s rules; after temperature, the "
          + "probability that was sampled from. They are conditional on the text that the attempt "
          + "had written so far. Attempts at a case are averaged first, then the cases. Decisions "
          + "with more than 5\u{A0}% unresolved probability, which belongs to tokens that were not "
          + "followed to an option, are left out and counted.")
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
        "\(VisibleText.line(id)): \(use.words). Shared prefixes are computed once and decoding is "
          + "batched; this does not change any answer.")
    }
    for (id, use) in (document.run.details.served ?? [:]).sorted(by: { $0.key < $1.key }) {
      paragraphs.append(
        "\(VisibleText.line(id)): " + VisibleText.line(use.lines.joined(separator: ". ")) + ".")
    }
    let commit = document.run.commit.map { " at commit " + VisibleText.line($0) } ?? ""
    paragraphs.append(
      "This page is a single file, loads nothing else, and works with scripts and styles off. "
        + "It was made from "
        + "the records of run \(document.run.id) alone, which assay "
        + "\(VisibleText.line(document.run.toolVersion)) wrote\(commit); the same records give the "
        + "same bytes.")
    return paragraphs
  }
}

/// The list of keys; it opens with `?`.
enum KeysDialog {
  static func write(to w: inout HTMLWriter) {
    w.element("dialog", .id("keys"), .init("aria-labelledby", "keyt")) { w in
      w.element("h2", .id("keyt"), text: "Keys")
      w.element("dl") { w in
        w.row(["/"], "filter the attempts")
        w.row(["j", "k"], "next, previous group of failures")
        w.row(["← ↑ → ↓", "Home", "End"], "move in the table of cases and nights")
        w.row(["g"], "to the top")
        w.row(["?"], "this list")
        w.row(["Esc"], "leave a field, close the list")
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
      w.row(["tides"], "matches suite, case or reason; all words must match")
      w.row(["suite:", "case:", "why:"], "in that column; for a suite, the start of its name")
      w.row(["variant:", "model:", "tag:"], "by variant, backend or model, and tag of the case")
      w.row(["is:"], "pass, fail, error, vacuous or skipped")
      w.row(["len:0", "len:<3"], "by the length of the answer’s first array")
      w.row(
        ["branch:unclear>craving", "branch:>slip"], "expected and chosen branch, or a part of it")
      w.row(["ms:>600", "tok:<9", "repeat:3"], "by number: =, <, <=, >, >=")
      w.row(["!"], "negates a term; quotes keep words together")
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
