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
      "A confidence interval: of 100 such intervals, each from new data, about 95 contain the "
        + "true value. With few attempts, the interval is wide.",
      headings: ["95 % CI", "pp, 95 % CI", "%, 95 % CI"]),
    Entry(
      "adjusted p (Holm)",
      "A p-value that Holm’s method made larger, because several quantities are tested at once. "
        + "So the chance of a false alarm among all of them stays small.",
      headings: ["p (Holm)", "adjusted p", "p (adjusted)"]),
    Entry(
      "attempt",
      "One request to a model and its answer; the repeats of a test case are attempts."),
    Entry("baseline", "The accepted results that later runs are compared with."),
    Entry(
      "broken",
      "A verdict: so many attempts failed in the backend (crash, timeout, refused "
        + "connection) that the comparison says nothing about the model."),
    Entry(
      "cut off at the token limit",
      "The answer reached maximumTokens before it was complete. It "
        + "counts as a failure."),
    Entry(
      "decision",
      "A point where the schema leaves a choice: another element or the end of an array, "
        + "one case of an enum or another, a property or none."),
    Entry(
      "draw",
      "An attempt that is independent of the others. Identical attempts of a deterministic engine "
        + "are one draw."),
    Entry(
      "empty array",
      "An array with no elements although the guide asks for some. A mask allows it "
        + "unless the schema has a minimum."),
    Entry(
      "fallback case",
      "The case of an enum for inputs that fit no other, such as “unclear” or "
        + "“other”. Without it, the model has to guess."),
    Entry(
      "flaky", "A test case with both passes and failures under the same request.",
      headings: ["flaky", "flips"]),
    Entry("gate", "The rule that decides whether a suite passes.", headings: ["gate"]),
    Entry(
      "guardrail",
      "An assertion that must hold in every attempt; if one attempt fails it, the suite misses its "
        + "gate."),
    Entry("guide", "The description or bound that tells the model what to generate."),
    Entry(
      "inconclusive", "A verdict: the sample is too small to tell a change from chance."),
    Entry(
      "margin", "The smallest change that matters; smaller changes are never called regressions."),
    Entry(
      "mask",
      "The set of tokens that keep an answer valid at one step; the model can't choose "
        + "any other.", headings: ["after the mask", "before the mask"]),
    Entry(
      "measured", "Computed from the model’s token probabilities, not counted from outcomes."),
    Entry(
      "mutation",
      "Deliberate damage to a guide or schema, to see whether the suite notices. A "
        + "mutation that no test case notices has survived.", headings: ["mutation"]),
    Entry(
      "p",
      "How likely it is that chance alone gives a difference at least as large as the observed "
        + "one. A small p means that chance is a poor explanation.", headings: ["p"]),
    Entry(
      "pressure",
      "How much the mask constrained the model: −log of the probability that it kept, summed "
        + "over an answer, in nats. Format pressure comes from white space and segmentation, "
        + "content pressure from keys, types, bounds and enum cases."),
    Entry("repeat", "One of several attempts at the same test case, each with its seed."),
    Entry(
      "request fingerprint",
      "A digest of everything that decides an answer except the seed and the repeat: prompt, "
        + "schema, options, model and measurement protocol."),
    Entry(
      "second look",
      "Another run of a suite with a suspected quantity: of its accepted and its current request, "
        + "with new seeds. Only the new draws decide."),
    Entry(
      "suspected",
      "A quantity whose test alone suggests a worsening, but not clearly enough after the "
        + "adjustment for all tests. It doesn't fail a run."),
    Entry(
      "unresolved", "Probability that Assay could not assign to any option of a decision."),
    Entry(
      "vacuous",
      "An assertion that had nothing to check, such as “each element …” on an empty array. "
        + "It is never a pass."),
    Entry("variant", "A suite with named edits to its guides, prompt or options."),
    Entry(
      "wrong branch",
      "A case of an enum, or an alternative of a union, that the answer chose although its test "
        + "case expects another one."),
  ]

  /// The explanation of a heading; nil if it needs none.
  static func text(forHeading heading: String) -> String? {
    entries.first { $0.headings.contains(heading) }?.text
  }

  /// The content of `docs/glossary.md`.
  package static var markdown: String {
    "# Glossary\n\nThe reports show these explanations too: as tooltips of headings, and at "
      + "their end.\n\n"
      + "| term | meaning |\n|---|---|\n"
      + entries.map { "| \($0.term) | \($0.text) |\n" }.joined()
  }
}
