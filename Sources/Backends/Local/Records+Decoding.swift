import ConstrainedDecoding
import EvalRecords
import Tokenization

extension WhitespaceMode {
  init(_ setting: GenerationSettings.Whitespace) {
    switch setting {
    case .compact: self = .compact
    case .singleSpace: self = .singleSpace
    case .pretty: self = .pretty
    case .any: self = .any
    }
  }
}

extension TokenizationPolicy {
  init(_ setting: GenerationSettings.Tokenization, _ tokenizer: Tokenizer) {
    switch setting {
    case .all: self = .allSegmentations
    case .canonical:
      self = .canonicalForcedRuns(encoder: { tokenizer.encodeContinuation($0) })
    case .canonicalPairs:
      self = .canonicalPairs(encoder: { tokenizer.encodeContinuation($0) })
    }
  }
}

extension SamplingSettings {
  init(_ settings: GenerationSettings) {
    self.init(
      isGreedy: settings.isGreedy, temperature: settings.temperature, topK: settings.topK,
      topP: settings.topP, minP: settings.minP)
  }
}

extension DecisionOption {
  init(_ option: Decision.Option) {
    self =
      switch option {
      case .element: .element
      case .end: .end
      case .present: .present
      case .absent: .absent
      case .branch(let name): .branch(name)
      }
  }
}

extension DecisionRecord {
  init(_ decision: Decision) {
    let kind: Kind =
      switch decision.kind {
      case .array: .array
      case .branch: .branch
      case .choice: .choice
      case .optional: .optional
      }
    self.init(
      kind: kind, path: decision.path, index: decision.index,
      options: decision.options.map {
        OptionProbability(
          DecisionOption($0.option), raw: $0.raw, masked: $0.masked, sampled: $0.sampled)
      },
      chosen: decision.chosenOption.map(DecisionOption.init),
      step: decision.step,
      unresolved: decision.unresolved)
  }
}

extension PressureRecord {
  /// Creates a record from an answer's pressure, split by kind, and the format pressure on the way
  /// to each decision.
  init(_ kinds: PressureKinds, _ decisions: [Double]) {
    self.init(
      whitespace: kinds.whitespace, segmentation: kinds.segmentation, preface: kinds.preface,
      content: kinds.content, decisions: decisions)
  }
}

extension TokenStep {
  init(_ step: TracedStep, vocabulary: Vocabulary) {
    func text(_ token: TokenID) -> String {
      String(decoding: vocabulary.bytes(of: token), as: UTF8.self)
    }
    self.init(
      text: text(step.token), path: step.path, isForced: step.isForced,
      legalCount: step.legalCount, keptMass: step.keptMass,
      rawEntropy: step.entropies.raw, maskedEntropy: step.entropies.masked,
      candidates: step.candidates.map {
        TokenCandidate(
          text: text($0.token), raw: $0.raw, sampled: $0.sampled, isAllowed: $0.isLegal,
          fitsSchema: $0.fitsSchema)
      })
  }
}
