import EvalRecords

/// Short explanations of terms that a newcomer may not know, for tooltips on the pages and for
/// `docs/glossary.md`.
package enum Glossary {
  /// A term with its explanation.
  package struct Entry: Sendable, Hashable {
    /// The term.
    package let term: String
    /// The meaning, in a sentence or two.
    package let text: String
    /// The column headings that the entry explains.
    let headings: [String]

    init(_ term: String, _ text: String, headings: [String] = []) {
      (self.term, self.text, self.headings) = (term, text, headings)
    }
  }

  /// The entries in alphabetical order.
  package static let entries: [Entry] = [
    Entry(
      "95 % CI",
      "A confidence interval: of 100 such intervals, each from new data, about 95 contain the true "
        + "value.",
      headings: ["95 % CI", "pp, 95 % CI", "%, 95 % CI"]),
    Entry(
      "adjusted p (\(EffectMethod.Adjustment.familyName))",
      "A p-value that \(EffectMethod.Adjustment.method) has increased because several quantities "
        + "are tested at once.",
      headings: [EffectMethod.Adjustment.heading, "adjusted p", "p (adjusted)"]),
    Entry(
      "attempt",
      "One request to a model, with its answer. Each repeat of a test case is an attempt with its "
        + "own seed."),
    Entry("baseline", "The accepted results that Assay compares later runs with."),
    Entry(
      "broken",
      "A verdict: so many attempts failed because of the backend (crash, timeout, refused "
        + "connection) that the comparison says nothing about the model."),
    Entry(
      "decision",
      "A point in an answer where the schema allows more than one way to continue: another element "
        + "or the end of the array, one of several enum cases, an optional property or none."),
    Entry(
      "draw",
      "An attempt that counts as separate evidence. Equal answers to a request that samples "
        + "nothing are one draw, and so are answers that equal seeds determine."),
    Entry(
      "fallback case",
      "The enum case for inputs that fit none of the others, such as “unclear” or “other”."),
    Entry(
      "flaky", "A test case that passes in some attempts and fails in others.",
      headings: ["flaky", "flips"]),
    Entry("gate", "The rule that decides whether a suite passes.", headings: ["gate"]),
    Entry(
      "guardrail",
      "An assertion that must hold in every attempt. If it fails once, the suite misses its gate."),
    Entry("guide", "A description or bound that tells the model what to generate."),
    Entry(
      "inconclusive", "A verdict: the sample is too small to tell a change from chance."),
    Entry(
      "margin", "The smallest change that matters. A smaller change never counts as a regression."),
    Entry(
      "mask",
      "The set of tokens that keep the answer valid at a given step. The model can't choose any "
        + "other token.",
      headings: ["after the mask", "before the mask"]),
    Entry(
      "measured",
      "Computed from the model’s token probabilities. The opposite is “counted”: the share of "
        + "attempts with an outcome, like the pass rate."),
    Entry(
      "mutation",
      "A change that damages a guide or schema on purpose, to test whether the suite notices it. A "
        + "mutation survives if no test case notices it.",
      headings: ["mutation"]),
    Entry(
      "p",
      "The probability that chance alone would produce a difference at least as large as the "
        + "observed one. A small p means that chance is a poor explanation.",
      headings: ["p"]),
    Entry(
      "pressure",
      "How strongly the mask restricted the model, in nats: the sum over the steps of −log p, "
        + "where p is the probability that the model gave to the tokens in the mask. Format "
        + "pressure comes from white space, from text before the value and from the way the text is split into "
        + "tokens, and content pressure from keys, types, bounds and enum cases."),
    Entry(
      "second look",
      "An additional run of a suite that has a suspected quantity, with both the accepted and the "
        + "current request and new seeds. Only the new draws decide."),
    Entry(
      "stub",
      "A backend that needs no model: it returns the fixed answers in the suite file."),
    Entry(
      "suspected",
      "Said of a quantity that looks worse by itself, although chance could explain that with so "
        + "many tests in the run. It doesn't fail the run."),
    Entry(
      "unresolved",
      "At a decision, the part of the probability that Assay couldn't assign to any option."),
    Entry(
      "vacuous",
      "An assertion that had nothing to check, such as “each element …” on an empty array. "
        + "It never counts as a pass."),
    Entry(
      "variant", "A version of a suite in which named edits change the guides, prompt or options."),
    Entry(
      "wrong branch",
      "An enum case, or an alternative of a union, that the model chose although the test case "
        + "expects a different one."),
  ]

  /// The explanation of a heading, or `nil` if it needs none.
  package static func text(forHeading heading: String) -> String? {
    entries.first { $0.headings.contains(heading) }?.text
  }

  /// The content of `docs/glossary.md`.
  package static var markdown: String {
    "# Glossary\n\nReports show these explanations too, in the tooltips of headings and in a "
      + "glossary at the end.\n\n"
      + "| term | meaning |\n|---|---|\n"
      + entries.map { "| \($0.term) | \($0.text) |\n" }.joined()
  }
}
