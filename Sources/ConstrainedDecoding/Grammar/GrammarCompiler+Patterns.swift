import GuidedGeneration

extension GrammarCompiler {
  mutating func add(pattern: String, path: String) throws(GrammarError) -> UInt32 {
    throw GrammarError(
      path: path, problem: .pattern(pattern, reason: "patterns are not supported"))
  }
}
