import EvalRunner

/// The words of forecasts.
enum ForecastWords {
  /// Returns the sentence about a run that is about to begin.
  static func first(_ estimate: RunForecast.Estimate?) -> String {
    guard let estimate else {
      return "the first answers will show how long the run takes: no earlier run of these suites "
        + "used this model on this machine"
    }
    return "this takes about \(time(estimate.seconds))"
      + (estimate.basis == .earlierRuns ? ", judging by earlier runs on this machine" : "")
  }

  /// Returns the words about a run in progress, for example `about 2 min 10 s left`.
  static func left(_ estimate: RunForecast.Estimate?) -> String {
    estimate.map { "about \(time($0.seconds)) left" } ?? "time left not known yet"
  }

  /// Returns a time, rounded to what an estimate can tell.
  static func time(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e7).rounded(.up))
    switch whole {
    case ..<20: return "\(max(1, whole)) s"
    case ..<60: return "\(rounded(whole, to: 5)) s"
    case ..<600:
      let rounded = rounded(whole, to: 10)
      return rounded % 60 == 0 ? "\(rounded / 60) min" : "\(rounded / 60) min \(rounded % 60) s"
    case ..<3600: return "\(rounded(whole, to: 60) / 60) min"
    default:
      let minutes = rounded(whole, to: 300) / 60
      return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }
  }

  private static func rounded(_ value: Int, to step: Int) -> Int {
    (value + step / 2) / step * step
  }
}
