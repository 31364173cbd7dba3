import EvalFindings
import EvalRecords
import EvalStatistics

/// The section on the latencies of attempts and the lengths of answers.
struct LatencySection: PageSection {
  let document: ReportDocument
  let id = "latency"
  let title = "Latency"

  private static let maximumStrips = 24

  private var slices: [SliceSummary] {
    document.summary.slices.filter { $0.duration.known != nil || $0.tokens.known != nil }
  }

  var isEmpty: Bool { slices.isEmpty }

  func write(to w: inout HTMLWriter) {
    let slices = slices
    let timed = slices.filter { $0.duration.known != nil }
    w.section(id, "Latency and length") { w in
      w.element("div", .class("two latency")) { w in
        if timed.isEmpty {
          w.note("No duration is known.")
        } else {
          times(timed, to: &w)
        }
        w.element("div") { w in
          w.table(table, class: "")
          w.note(
            "Shorter answers are faster, so check the array lengths before you call a "
              + "speed-up good news. “tok/s” is the number of output tokens of all attempts, "
              + "divided by their total time in seconds.")
          if let words = BatchWords.latency(of: document.summary.attempts) {
            w.note(words)
          }
        }
      }
    }
  }

  private func times(_ slices: [SliceSummary], to w: inout HTMLWriter) {
    w.figure("Milliseconds per attempt", ", log scale") { w in
      w.scrollRegion("Quantiles of latency") { w in
        QuantileStrips.write(
          slices.prefix(Self.maximumStrips).map { slice in
            QuantileStrips.Row(
              name: slice.name, now: slice.duration.scaled(by: 1000),
              baseline: document.before(slice.key)?.duration.known?.scaled(by: 1000))
          }, unit: "ms", to: &w)
      }
      w.note(
        (!document.hasBaseline ? "" : "The upper strip of a pair is the baseline’s. ")
          + "The hairline covers the 5th–95th percentile, the bar covers the middle half, and "
          + "the circle marks the median.")
    }
  }

  private var table: ReportTable {
    ReportTable("Latency and token counts", slices) { table in
      table.column("suite", .name) { .text($0.name) }
      table.column("p50", .number) { .seconds($0.duration.known?.p50) }
      table.column("p95", .number) { .seconds($0.duration.known?.p95) }
      if document.hasBaseline {
        table.column("p95 before", .number, .quiet) {
          .seconds(document.before($0.key)?.duration.known?.p95)
        }
      }
      table.column("tokens p50", .number) {
        $0.tokens.known.map { .fixed($0.p50, 0) } ?? .unknown
      }
      table.column("tok/s", .number, .quiet) { slice in
        let made = document.summary.attempts[slice.range].filter { $0.outcome != .skipped }
        let timed = made.map(\.measures).filter { $0.outputTokens != nil && $0.seconds != nil }
        let seconds = timed.reduce(0) { $0 + max(0, $1.seconds ?? 0) }
        let tokens = timed.reduce(0) { $0 + Double($1.outputTokens ?? 0) }
        return seconds > 0 ? .fixed(tokens / seconds, 0) : .unknown
      }
    }
  }
}
