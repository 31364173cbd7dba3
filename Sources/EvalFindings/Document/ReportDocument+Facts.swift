import EvalRecords
import StructuredText

extension ReportDocument {
  /// The facts of the page as JSON: what its first screen says, and the values of its tables.
  ///
  /// ```
  /// { "run": 214, "state": "regressed", "sentence": "…", "details": "…",
  ///   "attempts": 300, "passed": 241, "failed": 57, "errors": 2,
  ///   "step": { "words": "…", "command": "…" },
  ///   "causes": [{ "title": "Empty array", "failed": 35, "attempts": 150, "before": 11 }],
  ///   "tables": [{ "caption": "Suites", "columns": ["suite", …], "rows": [[…], …] }] }
  /// ```
  package func facts(tables: [JSONValue]) -> JSONValue {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    func text(_ text: String) -> JSONValue { .string(VisibleText.line(text)) }
    let tally = summary.tally
    let list = causeList(CauseList.maximum)
    let causes = (list.news + list.known).map { news -> JSONValue in
      [
        "title": text(news.cause.title), "failed": number(news.cause.failed),
        "attempts": number(list.attempts),
        "before": news.before.map { number($0.before) } ?? .null,
      ]
    }
    let step = firstStep.map { step -> JSONValue in
      ["words": text(step.words), "command": step.command.map { text($0) } ?? .null]
    }
    return [
      "run": number(run.id), "state": .string(headline.state.rawValue),
      "sentence": text(headline.sentence), "details": text(headline.detailText),
      "attempts": number(tally.attempts), "passed": number(tally.passed),
      "failed": number(tally.failed), "errors": number(tally.errors), "step": step ?? .null,
      "causes": .array(lab == nil ? causes : []), "tables": .array(tables),
    ]
  }
}
