import EvalFindings
import EvalRecords
public import EvalStatistics

/// Writes a lab's result for a terminal: a table of the trials, and the conclusion.
public enum LabReport {
  /// Writes the table and the conclusion.
  ///
  /// - Parameters:
  ///   - result: The result of the lab.
  ///   - color: Whether to write control sequences for colors.
  /// - Returns: The lines, each ending in a line feed.
  public static func render(_ result: LabResult, color: Bool) -> String {
    let style = TextStyle(isOn: color)
    let isCulprit = result.question == .culprit
    let together = result.together.map { [LabResult.Trial(title: "all edits", alone: $0)] } ?? []
    let sides = [("alone", \LabResult.Trial.alone)] + (isCulprit ? [("without it", \.without)] : [])
    let table = ReportTable("Lab", together + result.trials) { table in
      table.column(isCulprit ? "edit" : "mutation", .name) { .text($0.title) }
      for (title, side) in sides {
        table.cells(title) { $0[keyPath: side].map { .verdict($0.verdict) } ?? .init(.text("")) }
        table.column("pass rate", .number) {
          $0[keyPath: side]?.passRate.map { .change($0.change, low: nil, high: nil) } ?? .text("")
        }
      }
      table.column("most telling") { .text($0.obstacle ?? LabWords.mostTelling($0.alone)) }
    }
    var lines = [style.bold("Lab") + " from \(result.base)"]
    lines += table.lines(style).map { "  " + $0 }
    lines += ["", style.bold(LabWords.conclusion(of: result))]
    if result.question == .culprit {
      let next = LabWords.step(of: result).map { "Do next: \($0)." }
      let more = [LabWords.details(of: result), next].compactMap(\.self).joined(separator: " ")
      if !more.isEmpty { lines.append(more) }
    }
    lines.append(
      style.dim(
        "each row is compared with the base on the same test cases and seeds, "
          + result.levelWords))
    return lines.map { $0 + "\n" }.joined()
  }
}
