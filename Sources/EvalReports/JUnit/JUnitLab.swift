import EvalRecords
import EvalStatistics

/// A lab as one `testsuite`: one test case for each mutation or edit.
///
/// A mutation that a test case noticed passes. A mutation that survived fails if survivors make the
/// command fail. Otherwise it is skipped, with a reason. A mutation or edit that the lab couldn't
/// try or judge is skipped too, and any other edit passes. So if a lab's exit status is 0, its file
/// has no failures.
struct JUnitLab {
  let lab: LabSummary

  private func isFailure(_ row: LabSummary.Row) -> Bool {
    lab.failsSurvivors && lab.result.question == .survivors && row.fate == .answer
  }

  private func isSkipped(_ row: LabSummary.Row) -> Bool {
    guard !isFailure(row) else { return false }
    return row.fate != .other && !(lab.result.question == .culprit && row.fate == .answer)
  }

  var tests: Int { lab.rows.count }
  var failures: Int { lab.rows.count(where: isFailure) }
  var skipped: Int { lab.rows.count(where: isSkipped) }

  func write(_ dialect: JUnitReport.Dialect, to writer: inout XMLWriter) {
    var attributes: [(name: StaticString, value: String)] = [("name", "evals.lab")]
    if dialect == .ant {
      attributes += [
        ("package", "evals"), ("id", "0"), ("hostname", "localhost"),
        ("timestamp", "1970-01-01T00:00:00"),
      ]
    }
    attributes += [
      ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "0"),
      ("skipped", "\(skipped)"), ("time", "0.000"),
    ]
    writer.element("testsuite", attributes) { writer in
      writer.element("properties", []) { writer in
        writer.element(
          "property",
          [
            ("name", "lab"),
            ("value", JUnitReport.clipped(VisibleText.line(LabReport.conclusion(of: lab.result)))),
          ])
      }
      for (number, row) in lab.rows.enumerated() { write(row, number, dialect, to: &writer) }
      if dialect == .ant {
        writer.element("system-out", [], text: "")
        writer.element("system-err", [], text: "")
      }
    }
  }

  private func write(
    _ row: LabSummary.Row, _ number: Int, _ dialect: JUnitReport.Dialect, to writer: inout XMLWriter
  ) {
    let title = VisibleText.line(row.trial.title)
    let isRepeated = lab.rows.prefix(number).contains { VisibleText.line($0.trial.title) == title }
    let attributes: [(name: StaticString, value: String)] = [
      ("name", isRepeated ? "\(title) (\(number + 1))" : title), ("classname", "evals.lab"),
      ("time", "0.000"),
    ]
    let message =
      row.trial.obstacle.map { VisibleText.line($0) } ?? row.words(lab.result.question)
    if isFailure(row) {
      writer.element("testcase", attributes) {
        $0.element("failure", [("message", message), ("type", "survivor")], text: message)
      }
    } else if isSkipped(row) {
      writer.element("testcase", attributes) {
        // Ant's schema has no place for a reason.
        if dialect == .ant {
          $0.element("skipped", [])
        } else {
          $0.element("skipped", [("message", message)])
        }
      }
    } else {
      writer.element("testcase", attributes)
    }
  }
}
