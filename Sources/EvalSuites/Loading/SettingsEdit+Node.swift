import EvalRecords
import StructuredText

extension SettingsEdit {
  /// Creates an edit from an `options` node that has passed the format check.
  init(_ node: SourceNode) {
    self.init()
    isGreedy = node["sampling"]?.text.map { $0 == "greedy" }
    temperature = node["temperature"]?.value.double
    topK = node["topK"]?.value.int
    topP = node["topP"]?.value.double
    minP = node["minP"]?.value.double
    maximumTokens = node["maximumTokens"]?.value.int
    whitespace = node["whitespace"]?.text.flatMap { .init(rawValue: $0) }
    let word = node["tokenization"]?.text
    tokenization = GenerationSettings.Tokenization.allCases.first { $0.suiteWord == word }
    outline = node["outline"]?.text.flatMap { .init(rawValue: $0) }
    mask = node["mask"]?.text.flatMap { .init(rawValue: $0) }
  }
}
