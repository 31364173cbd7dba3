import EvalFindings
import EvalStatistics

/// The section on array lengths, which singles out empty arrays.
struct LengthsSection: PageSection {
  let document: ReportDocument
  let id = "lengths"
  let title = "Array lengths"

  private static let maximumFigures = 16

  var isEmpty: Bool { document.summary.lengths.isEmpty }

  func write(to w: inout HTMLWriter) {
    let all = document.summary.lengths
    var lede =
      "If the schema has no minimum, only the prompt keeps the model from returning an "
      + "empty array. The expected lengths are shaded."
    if document.hasBaseline { lede += " The outline is the baseline." }
    w.section(id, title, lede: lede) { w in
      var seen: Set<[String]> = []
      var figures = 0
      for first in all {
        let key = [first.sliceName, first.path]
        guard figures < Self.maximumFigures, seen.insert(key).inserted else { continue }
        let group = all.filter { $0.slice == first.slice && $0.path == first.path }
        figures += group.count
        write(group, to: &w)
      }
      w.leftOut(
        Set(all.map { [$0.sliceName, $0.path] }).count - seen.count, "array", "not drawn here")
    }
  }

  private func write(_ group: [LengthSummary], to w: inout HTMLWriter) {
    guard let first = group.first else { return }
    w.element("h3") { w in
      w.text(first.sliceName + " ")
      w.element("code", text: first.path)
    }
    let before = group.map(baseline)
    let highest = zip(group, before).map { Histogram.highest($0, $1) }.max() ?? 1
    w.element("div", .class(group.count == 4 ? "multiples five" : "multiples")) { w in
      for (lengths, before) in zip(group, before) {
        w.figure(
          lengths.inputClass ?? "all inputs", " · \(NumberText.count(lengths.total, "array"))"
        ) { w in
          Histogram.write(lengths, baseline: before, highest: highest, to: &w)
        }
      }
      w.figure(
        first.isBounded ? "Expected \(first.boundText)" : "Empty or not",
        " · \(NumberText.count(group.reduce(0) { $0 + $1.total }, "array"))"
      ) { w in
        w.table(table(group, first), class: "", scrolls: false)
      }
    }
  }

  private func baseline(of lengths: LengthSummary) -> LengthSummary? {
    document.lengthsBefore(lengths)?.first { $0.inputClass == lengths.inputClass }
  }

  private func table(_ group: [LengthSummary], _ first: LengthSummary) -> ReportTable {
    let rows = Self.classes(first).map { name, range, isOutside in
      let count = group.reduce(0) { $0 + $1.count(in: range) }
      return (name: name, range: range, count: count, isBad: isOutside && count > 0)
    }
    return ReportTable(
      "Lengths of \(first.path) in \(first.sliceName)", rows, isFact: false, isWorse: \.isBad
    ) { table in
      table.column("length", .name, style: "nowrap") { .text($0.name) }
      if let before = document.lengthsBefore(first) {
        table.column("baseline", .number, .quiet) { row in
          .count(before.reduce(0) { $0 + $1.count(in: row.range) })
        }
      }
      table.cells("arrays", .number) { .init(.count($0.count), $0.isBad ? .bad : .main) }
      table.column("95 % CI", .number, .faint) { row in
        .text(LengthSummary.share(of: group) { row.range.contains($0) }.interval + "\u{A0}%")
      }
    }
  }

  /// Returns the classes of lengths: empty, below the bound, within it, and above it.
  private static func classes(
    _ lengths: LengthSummary
  ) -> [(name: String, range: ClosedRange<Int>, isOutside: Bool)] {
    let last = LengthSummary.lastBin
    let low = min(max(lengths.minimum ?? 1, 0), last)
    let high = min(max(lengths.maximum ?? last, low), last)
    func name(_ from: Int, _ to: Int) -> String { from == to ? "\(from)" : "\(from)–\(to)" }
    var classes: [(String, ClosedRange<Int>, Bool)] = []
    if low > 0 { classes.append(("empty", 0...0, lengths.minimum != nil || low == 1)) }
    if low > 1 { classes.append((name(1, low - 1), 1...(low - 1), true)) }
    classes.append((high == last ? "\(low) or more" : name(low, high), low...high, false))
    if high < last { classes.append(("\(high + 1) or more", (high + 1)...last, true)) }
    return classes
  }
}
