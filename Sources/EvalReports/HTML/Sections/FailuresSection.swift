import EvalRecords

/// Attempts that did not pass, grouped by what went wrong, each group with attempts in full.
struct FailuresSection: PageSection {
  let document: ReportDocument
  let id = "failures"
  let title = "Failures"

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { document.summary.clusters.isEmpty }

  /// Clusters beyond these are folded into one.
  private static let largeClusters = 12

  /// Whether the page shows a cluster.
  func has(cluster id: String) -> Bool {
    document.summary.clusters.prefix(DrillDownPlan.maximumClusters).contains { $0.id == id }
  }

  func write(to w: inout HTMLWriter) {
    let clusters = document.summary.clusters
    let total = clusters.reduce(0) { $0 + $1.attempts.count }
    w.section(
      id, title,
      lede: "\(NumberText.count(total, "attempt")) did not pass, grouped by what went wrong; the "
        + "largest group first."
    ) { w in
      let shown = clusters.prefix(DrillDownPlan.maximumClusters).enumerated()
      for (number, cluster) in shown.prefix(Self.largeClusters) { write(cluster, number, to: &w) }
      let smaller = Array(shown.dropFirst(Self.largeClusters))
      if !smaller.isEmpty {
        w.element("details") { w in
          let attempts = smaller.reduce(0) { $0 + $1.element.attempts.count }
          w.element("summary") { w in
            w.element("span", .class("cnt"), text: NumberText.grouped(attempts))
            w.text("in \(NumberText.count(smaller.count, "smaller group"))")
          }
          w.element("div", .class("drill")) { w in
            for (number, cluster) in smaller { write(cluster, number, to: &w) }
          }
        }
      }
      let rest = clusters.dropFirst(DrillDownPlan.maximumClusters)
      if !rest.isEmpty {
        let attempts = rest.reduce(0) { $0 + $1.attempts.count }
        w.element(
          "p", .class("note"),
          text: "\(NumberText.count(rest.count, "smaller group")) with "
            + "\(NumberText.count(attempts, "attempt")) \(rest.count == 1 ? "is" : "are") only in the "
            + "table of all attempts.")
      }
    }
  }

  private func write(_ cluster: FailureCluster, _ number: Int, to w: inout HTMLWriter) {
    let shown = document.drillDowns.ofCluster[number]
    w.element("details", .id(cluster.id), number == 0 ? .init("open", nil) : nil) { w in
      w.element("summary") { w in
        w.element(
          "span", .class("cnt" + (cluster.kind <= .bounds ? " bad" : "")),
          text: NumberText.grouped(cluster.attempts.count))
        w.text(VisibleText.line(cluster.title) + " ")
        w.element("span", .class("where"), text: place(cluster))
      }
      for (position, index) in shown.enumerated() {
        let drillDown = DrillDown(document, index)
        if position == 0 {
          drillDown.write(isFirst: true, to: &w)
        } else {
          w.element("details") { w in
            w.element("summary") { w in
              w.text("Another: ")
              w.element("code", text: FailuresSection.name(document.summary.attempts[index]))
            }
            drillDown.write(isFirst: false, to: &w)
          }
        }
      }
      let hidden = cluster.attempts.filter { !document.drillDowns.attempts.contains($0) }
      if !hidden.isEmpty { list(hidden, shown: shown.count, to: &w) }
    }
  }

  private func place(_ cluster: FailureCluster) -> String {
    var text =
      "\(NumberText.count(cluster.cases, "case")) of \(VisibleText.line(cluster.sliceName))"
    if let before = document.countBefore(cluster) {
      text += before > 0 ? " · was \(NumberText.grouped(before))" : " · new"
    }
    return text
  }

  /// What is not shown in full is listed with the command that shows it.
  private func list(_ hidden: [Int], shown: Int, to w: inout HTMLWriter) {
    let names = hidden.prefix(12).map { Self.name(document.summary.attempts[$0]) }
    w.element("p", .class("note")) { w in
      w.text(shown == 0 ? "Not shown in full here: " : "Not shown in full: ")
      w.element("code", text: names.joined(separator: " "))
      if hidden.count > 12 { w.text(" and \(NumberText.grouped(hidden.count - 12)) more") }
      w.text(". ")
      if let first = hidden.first {
        let attempt = document.summary.attempts[first]
        w.element("code", text: document.showCommand(for: attempt, namesRun: true))
      }
      w.text(" shows one.")
    }
  }

  /// How the command line names an attempt: `flashcards/tides#3`.
  static func name(_ attempt: AttemptRecord) -> String {
    VisibleText.line(attempt.key.address)
  }
}
