import StructuredText

extension AssertionKind {
  static let dateISO8601 = values(
    "dateISO8601", "The string is a calendar date such as `2026-03-12`",
    rows: [
      KeyRow("orEmpty", .flag, "Whether an empty string passes too", fallback: "false"),
      KeyRow(
        "form", .choice(CalendarDate.Form.allCases.map(\.rawValue)),
        "`dateTime` requires a time and a time zone too", fallback: "`date`"),
    ], types: ["string"],
    example: AssertionExample(
      "dateISO8601: { path: $.date, orEmpty: true }", passing: #"{"date": ""}"#,
      failing: #"{"date": "2026-02-30"}"#, actual: #""2026-02-30""#)
  ) { node in
    DateRule(
      form: node["form"]?.text.flatMap { CalendarDate.Form(rawValue: $0) } ?? .date,
      mayBeEmpty: node.flag("orEmpty"))
  }
}

/// A rule that a string is an ISO 8601 date, or empty if that is allowed.
struct DateRule: TextRule {
  /// The required form of the date.
  var form: CalendarDate.Form
  /// Whether an empty string passes too.
  var mayBeEmpty: Bool

  func judge(text: String) -> Judgement {
    let isDate = text.isEmpty ? mayBeEmpty : CalendarDate.isValid(text, form: form)
    return Judgement(isDate, text.isEmpty ? "an empty string" : ValueWords.quoted(text))
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "")
      + (form == .date ? "a date YYYY-MM-DD" : "a date and time of ISO 8601")
      + (mayBeEmpty ? " or an empty string" : "")
  }
}
