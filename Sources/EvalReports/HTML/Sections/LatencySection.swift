import EvalRecords
import EvalStatistics

/// The section on the latencies of attempts and the lengths of answers.
struct LatencySection: PageSection {
  let document: ReportDocument
  let id = "latency"
  let title = "Latency"

  private static let maximumStrips = 24

  private var slices: [SliceSummary] { document.summary.slices.filter { $0.duration.count > 0 } }

  var isEmpty: Bool { slices.isEmpty }

  func write(to w: inout HTMLWriter) {
    let slices = slices
    let hasBaseline = document.hasBaseline
    w.section(id, "Latency and length") { w in
      w.element("div", .class("two latency")) { w in
        w.figure("Milliseconds per attempt", ", log scale") { w in
          w.scrollRegion("Quantiles of latency") { w in
            QuantileStrips.write(
              slices.prefix(Self.maximumStrips).map { slice in
                QuantileStrips.Row(
                  name: slice.name, now: slice.duration.scaled(by: 1000),
                  baseline: document.before(slice.key)?.duration.scaled(by: 1000))
              }, unit: "ms", to: &w)
          }
          w.note(
            (!hasBaseline ? "" : "The upper strip of a pair is the baseline’s. ")
              + "The hairline covers the 5th–95th percentile, the bar covers the middle half, and "
              + "the circle marks the median.")
        }
        w.element("div") { w in
          table(slices, to: &w)
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

  /// The output tokens of all attempts, divided by their total time in seconds.
  private static func tokensPerSecond(_ attempts: ArraySlice<AttemptRecord>) -> String {
    let made = attempts.filter { $0.outcome != .skipped }
    let seconds = made.reduce(0) { $0 + max(0, $1.duration) }
    let tokens = made.reduce(0) { $0 + $1.outputTokens }
    return seconds > 0 ? NumberText.fixed(Double(tokens) / seconds, 0) : "–"
  }

  private func table(_ slices: [SliceSummary], to w: inout HTMLWriter) {
    let hasBaseline = document.hasBaseline
    var columns: [ReportTable.Column] = [.init("suite"), .number("p50"), .number("p95")]
    if hasBaseline { columns.append(.number("p95 before")) }
    columns += [.number("tokens p50"), .number("tok/s")]
    w.table("Latency and token counts", columns, class: "") { w in
      for slice in slices {
        w.element("tr") { w in
          w.rowHeader(slice.name)
          w.cell(NumberText.duration(slice.duration.p50), "number")
          w.cell(NumberText.duration(slice.duration.p95), "number")
          if hasBaseline {
            w.cell(
              document.before(slice.key).map { NumberText.duration($0.duration.p95) } ?? "–",
              "number quiet")
          }
          w.cell(NumberText.fixed(slice.tokens.p50, 0), "number")
          w.cell(
            Self.tokensPerSecond(document.summary.attempts[slice.range]), "number quiet")
        }
      }
    }
  }
}
