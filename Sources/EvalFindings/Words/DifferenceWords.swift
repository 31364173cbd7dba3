import EvalRecords
import EvalStatistics

extension ComparisonDifference {
  /// The place and a description of the difference: `flashcards on local: temperature 0.7 → 0.2`.
  package var words: String { place.map { "\($0.words): \(fact.words)" } ?? fact.words }
}

extension ComparisonDifference.Consequence {
  /// The word before a difference: `left out`.
  package var label: String {
    switch self {
    case .noted: "note"
    case .leftOut: "left out"
    case .incomplete: "missing"
    case .doubtful: "contradicts"
    case .notComparable: "differs"
    case .broken: "broken"
    }
  }
}

extension ComparisonDifference.Fact {
  package var words: String {
    switch self {
    case .setting(let name, let before, let after, let cases):
      let change =
        "\(name.words) \(before.words(for: name)) → \(after.words(for: name))"
      return cases.isEmpty ? change : "\(change) in test cases \(cases.listed(5))"
    case .cases(let change, let ids):
      return "test cases \(change.words): \(ids.listed(5))"
    case .assertions(let change, let names):
      return "assertions \(change.words): \(names.listed(5))"
    case .guardrails(let change, let names):
      return "guardrails \(change.words): \(names.listed(5))"
    case .scoring(let cases):
      return "the edited threshold, weights or guardrails hide or show other changes in test cases "
        + cases.listed(5)
    case .judgedAnew(let rejudgement): return rejudgement.words
    case .otherExpectations(let cases, let count):
      return "the expectations of \(cases) of \(count.counted("test case")) were edited"
    case .hiddenByEdit(let answers):
      let (verb, them) = answers == 1 ? ("s", "it") : ("", "them")
      return "\(answers.counted("answer")) that differ\(verb) from the baseline's pass"
        + "\(answers == 1 ? "es" : "") only by the edited judgement; the former one fails \(them), "
        + "or nobody can say whether it would have passed \(them)"
    case .mostCasesGone(let gone, let count):
      return "\(gone) of \(count.counted("test case")) of the baseline can't be compared, or have "
        + "other expectations now"
    case .mostCasesNew(let new, let count):
      return "\(new) of \(count.counted("test case")) are new, so the baseline says little about "
        + "the suite"
    case .leftOutFailing(let cases, let count):
      return "\(cases.count) of the \(count.counted("test case")) left out passed before and "
        + "fail\(cases.count == 1 ? "s" : "") now: \(cases.listed(5))"
    case .otherVariant(let before, let after):
      return "the first variant was \(before) and is now \(after), which makes other requests"
    case .servedChange(let part, let before, let after):
      return "the \(part.words) changed by itself, \(before) → \(after)"
    case .hiddenFailures(let errors, let failures, let lost):
      var parts: [String] = []
      if lost > 0 {
        parts.append(
          "\(lost.counted("attempt")) of the candidate ended in a backend error in test cases that "
            + "had none in the baseline")
      }
      if errors > 0 {
        parts.append(
          "\(errors.counted("attempt")) of the baseline ended in a backend error; \(failures) of "
            + "the same attempts failed in the candidate")
      }
      return parts.joined(separator: "; ") + ", which may hide a regression"
    case .measuredOnlyIn(let side, let quantities):
      return "measured only in the \(side.rawValue): "
        + quantities.map { $0.title(.measured) }.listed(5)
    case .arraysOnlyIn(let side, let paths):
      return "arrays only in the \(side.rawValue)'s answers: \(paths.listed(5))"
    case .contradiction(let side, let quantity, let expected, let hits, let count):
      return "the \(side.rawValue)'s answers contradict \(quantity.title(.measured)): the "
        + "probabilities of \(count.counted("attempt")) add up to "
        + "\(NumberText.fixed(expected, 1)), but \(hits) of these attempts were so"
    case .notMade(let side, let attempts, let planned):
      return "\(attempts) of \(planned.counted("attempt")) of the \(side.rawValue) "
        + "\(attempts == 1 ? "was" : "were") not made"
    case .stoppedEarly(let side, let run, let attempts, let planned):
      return "run \(run), the \(side.rawValue), stopped early: \(attempts) of "
        + "\(planned.counted("attempt")) \(attempts == 1 ? "was" : "were") not made; "
        + "to make them, run again with `--resume \(run)` and the options that you gave that run"
    case .interrupted(let side): return "the \(side.rawValue)'s run was interrupted"
    case .errors(let side, let errors, let attempts):
      return
        "\(errors) of \(attempts.counted("attempt")) of the \(side.rawValue) ended in a backend "
        + "error"
    case .changedModel(let side, let models):
      return "several models answered in the \(side.rawValue)'s run: "
        + models.listed(5)
    case .unmatched(let side, let part, let id):
      return "\(part.rawValue) \(id) is only in the \(side.rawValue)"
    case .nothingInCommon:
      return "no combination of suite, variant and backend has attempts on both sides"
    }
  }
}

extension ComparisonDifference.Setting {
  fileprivate var words: String {
    switch self {
    case .model, .engine, .repeats, .threshold, .reducer, .metric: rawValue
    case .option(let setting): setting.row.words ?? rawValue
    case .gateRate: "gate rate"
    case .measurementProtocol: "measurement protocol"
    case .modelDigest: "model digest"
    case .servedModel: "model that answered"
    }
  }
}

extension ComparisonDifference.ServedPart {
  fileprivate var words: String {
    switch self {
    case .model: "served model"
    case .build: "server's build"
    case .engine: "engine"
    case .system: "system"
    }
  }
}

extension SettingValue {
  /// The value as text, cut short if it is a digest.
  fileprivate func words(for setting: ComparisonDifference.Setting) -> String {
    switch self {
    case .none: "none"
    case .flag(let flag): flag ? "on" : "off"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .text(let text): setting == .modelDigest ? String(text.prefix(12)) : text
    }
  }
}

extension ComparisonDifference.CaseChange {
  fileprivate var words: String {
    switch self {
    case .removed: "only in the baseline"
    case .added: "only in the candidate"
    case .input: "with a different input"
    case .assertions: "that the shared assertions can't judge"
    case .branches: "with different expected branches"
    }
  }
}

extension ComparisonDifference.AssertionChange {
  fileprivate var words: String {
    switch self {
    case .removed: "only in the baseline"
    case .added: "only in the candidate"
    case .changed: "that were edited"
    case .reweighted: "with another weight"
    case .uncounted: "only on one side, with weight 0"
    }
  }
}
