import EvalFindings
import EvalRecords

/// A test case's repeats as a strip of bars: short and pale for a pass, tall and dark for a
/// failure, and split for an error.
enum RepeatStrip {
  /// The maximum number of repeats in a strip.
  ///
  /// If a test case has more repeats, the page shows only their counts.
  static let limit = 60

  static func write(_ attempts: ArraySlice<AttemptRecord>, to w: inout HTMLWriter) {
    guard !attempts.isEmpty, attempts.count <= limit else { return }
    let pitch = attempts.count > 30 ? 5.0 : 7.0
    let width = pitch - 1.5
    var (passed, failed, errors) = ("", "", "")
    for (position, attempt) in attempts.enumerated() {
      let x = NumberText.coordinate(Double(position) * pitch)
      let cell = NumberText.coordinate(width)
      switch attempt.outcome {
      case .pass: passed += "M\(x) 9h\(cell)v4h-\(cell)z"
      case .fail: failed += "M\(x) 1h\(cell)v12h-\(cell)z"
      case .error: errors += "M\(x) 1h\(cell)v5h-\(cell)zM\(x) 8h\(cell)v5h-\(cell)z"
      case .skipped: break
      }
    }
    w.silentPlot(width: Double(attempts.count) * pitch, height: 14) { w in
      w.area("passed", passed)
      w.area("fill-bad", failed)
      w.area("fill-bad", errors)
    }
  }
}
