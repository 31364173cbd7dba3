import EvalRecords
import GuidedGeneration
import LanguageModelSessions

extension GenerationOptions {
  /// Creates Apple's options from the harness's settings.
  ///
  /// Apple's options can limit the candidates in only one way, so top-k takes precedence over
  /// top-p, and min-p is dropped.
  init(_ settings: GenerationSettings, seed: UInt64) {
    let sampling: SamplingMode =
      if settings.isGreedy {
        .greedy
      } else if settings.topK > 0 {
        .random(top: settings.topK, seed: seed)
      } else {
        .random(probabilityThreshold: settings.topP, seed: seed)
      }
    self.init(
      samplingMode: sampling, temperature: settings.temperature,
      maximumResponseTokens: settings.maximumTokens)
  }
}

extension GenerationSettings {
  /// Returns a copy of these settings, changed by the values that Apple's options set.
  func changed(by options: GenerationOptions) -> GenerationSettings {
    var settings = self
    if let sampling = options.sampling {
      settings.isGreedy = sampling == .greedy
      switch sampling.kind {
      case .greedy: break
      case .randomTopK(let count, _): settings.topK = max(1, count)
      case .randomProbabilityThreshold(let threshold, _):
        settings.topP = threshold.isNaN ? 1 : min(max(threshold, 0), 1)
      }
    }
    if let temperature = options.temperature, temperature.isFinite {
      // Apple's minimum temperature is 0, which makes sampling deterministic.
      settings.isGreedy = settings.isGreedy || temperature <= 0
      if temperature > 0 { settings.temperature = temperature }
    }
    if let limit = options.maximumResponseTokens { settings.maximumTokens = max(1, limit) }
    return settings
  }
}

extension GenerationOptions.SamplingMode {
  /// The seed that the app chose, or `nil` if it chose none.
  var seed: UInt64? {
    switch kind {
    case .greedy: nil
    case .randomTopK(_, let seed), .randomProbabilityThreshold(_, let seed): seed
    }
  }
}
