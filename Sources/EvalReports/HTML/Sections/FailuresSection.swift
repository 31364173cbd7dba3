import EvalFindings
import EvalRecords
import EvalStatistics

/// The tree of failed attempts by cause, then by suite and variant, then by cluster.
///
/// Its leaves show attempts in full.
struct FailuresSection: PageSection {
  let document: ReportDocument
  let id = "failures"
  let title = "Failures"

  var isEmpty: Bool { document.summary.clusters.isEmpty }

  /// The maximum number of causes to list, not counting guarded causes
  /// (``FailureCause/isGuarded``).
  ///
  /// The other causes share one collapsed entry.
  private static let largeCauses = 12
  /// The maximum number of clusters to list for a suite and variant.
  ///
  /// The other clusters share one collapsed entry.
  private static let largeDetails = 8

  /// Whether the page shows a cluster.
  func has(cluster id: String) -> Bool {
    document.summary.clusters.prefix(DrillDownPlan.maximumClusters).contains { $0.id == id }
  }

  func write(to w: inout HTMLWriter) {
    let tree = document.summary.tree
    let all = Share(tree.failed, of: document.summary.tally.attempts)
    let groups = NumberText.count(document.summary.clusters.count, "group")
    w.section(
      id, title,
      lede: "Across all suites and variants, \(all.counts) attempts failed (\(all.percent)), in "
        + "\(groups) of similar failures. The tree lists the cause, then the suite and variant, "
        + "then the group."
    ) { w in
      let (causes, rest) = tree.shown(Self.largeCauses)
      for (number, cause) in causes.enumerated() { write(cause, isFirst: number == 0, to: &w) }
      guard !rest.isEmpty else { return }
      w.element("details", .class("kind")) { w in
        w.element("summary") { w in
          count(rest.reduce(0) { $0 + $1.failed }, isBad: false, to: &w)
          w.text(NumberText.count(rest.count, "smaller cause"))
        }
        w.element("div", .class("level")) { w in
          for cause in rest { write(cause, isFirst: false, to: &w) }
        }
      }
    }
  }

  private func write(_ cause: FailureCause, isFirst: Bool, to w: inout HTMLWriter) {
    let isOpen = isFirst || cause.isGuarded
    w.element("details", .id(cause.id), .class("kind"), isOpen ? .init("open", nil) : nil) { w in
      w.element("summary") { w in
        count(cause.failed, isBad: true, to: &w)
        w.element("b", text: cause.title + " ")
        w.element("span", .class("where"), text: Self.places(cause))
      }
      w.element("div", .class("level")) { w in
        w.element("p", .class("advice")) { w in CauseSection.next(cause, "Fix: ", document, to: &w)
        }
        for (number, place) in cause.places.enumerated() {
          write(
            place, id: cause.id(ofPlace: number),
            isOpen: isFirst && number == 0 || cause.places.count == 1, to: &w)
        }
      }
    }
  }

  /// The place with its counts, such as `flashcards:enforced, 22 of 60 attempts (36.7 %), 12 test
  /// cases`, or only the number of places if there are several.
  private static func places(_ cause: FailureCause) -> String {
    if cause.places.count == 1, let place = cause.places.first {
      return "\(VisibleText.line(place.name)), \(place.words)"
    }
    return
      "in "
      + "\(NumberText.count(cause.places.count, "suite or variant", plural: "suites and variants"))"
  }

  private func write(
    _ place: FailureCause.Place, id: String, isOpen: Bool, to w: inout HTMLWriter
  ) {
    w.element("details", .id(id), isOpen ? .init("open", nil) : nil) { w in
      w.element("summary") { w in
        count(place.failed, isBad: false, to: &w)
        w.text(VisibleText.line(place.name) + " ")
        w.element("span", .class("where"), text: place.words)
      }
      w.element("div", .class("level")) { w in
        let known = place.clusters.filter { $0 < DrillDownPlan.maximumClusters }
        for number in known.prefix(Self.largeDetails) { write(number, to: &w) }
        smaller(Array(known.dropFirst(Self.largeDetails)), to: &w)
        let rest = place.clusters.dropFirst(known.count)
        if !rest.isEmpty {
          let attempts = rest.reduce(0) { $0 + document.summary.clusters[$1].attempts.count }
          w.note(
            "\(NumberText.count(rest.count, "smaller group")) "
              + "(\(NumberText.count(attempts, "attempt"))) \(rest.count == 1 ? "is" : "are") only "
              + "in the table of all attempts.")
        }
      }
    }
  }

  private func smaller(_ numbers: [Int], to w: inout HTMLWriter) {
    guard !numbers.isEmpty else { return }
    w.element("details") { w in
      let attempts = numbers.reduce(0) { $0 + document.summary.clusters[$1].attempts.count }
      w.element("summary") { w in
        count(attempts, isBad: false, to: &w)
        w.text(NumberText.count(numbers.count, "smaller group"))
      }
      w.element("div", .class("level")) { w in
        for number in numbers { write(number, to: &w) }
      }
    }
  }

  private func count(_ value: Int, isBad: Bool, to w: inout HTMLWriter) {
    w.element("span", .class(isBad ? "count bad" : "count"), text: NumberText.grouped(value))
  }

  private func write(_ number: Int, to w: inout HTMLWriter) {
    let cluster = document.summary.clusters[number]
    let shown = document.drillDowns.ofCluster[number]
    w.element("details", .id(cluster.id), number == 0 ? .init("open", nil) : nil) { w in
      w.element("summary") { w in
        count(cluster.attempts.count, isBad: false, to: &w)
        w.text(VisibleText.line(cluster.title) + " ")
        w.element("span", .class("where"), text: detail(cluster))
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

  private func detail(_ cluster: FailureCluster) -> String {
    var text = NumberText.count(cluster.cases, "test case")
    if let before = document.countBefore(cluster) { text += " · \(before.words)" }
    return text
  }

  /// Lists attempts that the page doesn't show in full, with a command that shows the first one.
  private func list(_ hidden: [Int], shown: Int, to w: inout HTMLWriter) {
    let names = hidden.prefix(12).map { Self.name(document.summary.attempts[$0]) }
    w.element("p", .class("note")) { w in
      w.text(shown == 0 ? "Not shown in full here: " : "Not shown in full: ")
      w.element("code", text: names.joined(separator: " "))
      if hidden.count > 12 { w.text(" and \(NumberText.grouped(hidden.count - 12)) more") }
      w.text(". To inspect one: ")
      if let first = hidden.first {
        w.command(document.showCommand(for: document.summary.attempts[first]))
      }
    }
  }

  /// The name of an attempt on the command line: `flashcards/tides#3`.
  static func name(_ attempt: AttemptRecord) -> String {
    VisibleText.line(attempt.key.address)
  }
}
