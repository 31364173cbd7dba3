import EvalRecords
import EvalStatistics

extension JUnitSuite {
  /// A lab: one test case for each mutation or edit.
  ///
  /// A mutation that a test case noticed passes. A mutation that survived fails if survivors make
  /// the command fail. Otherwise it is skipped, with a reason. A mutation or edit that the lab
  /// couldn't try or judge is skipped too, and any other edit passes. So if a lab's exit status is
  /// 0, its file has no failures.
  init(_ lab: LabSummary) {
    let question = lab.result.question
    var titles: Set<String> = []
    let cases = lab.rows.enumerated().map { number, row in
      let title = VisibleText.line(row.trial.title)
      let message = row.trial.obstacle.map { VisibleText.line($0) } ?? row.words(question)
      let isSurvivor = question == .survivors && row.fate == .answer
      return JUnitCase(
        name: titles.insert(title).inserted ? title : "\(title) (\(number + 1))",
        className: "evals.lab",
        result: isSurvivor && lab.failsSurvivors
          ? .failure(.init(type: "survivor", message: message, text: message))
          : row.fate == .other || row.fate == .answer && !isSurvivor
            ? .pass : .skipped(reason: message))
    }
    let conclusion = JUnitReport.clipped(VisibleText.line(LabReport.conclusion(of: lab.result)))
    self.init(name: "evals.lab", properties: [("lab", conclusion)], cases: cases)
  }
}
