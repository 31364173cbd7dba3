import TestSupport
import Tokenization

@testable import LocalModels

/// Returns the logits after every token of one sequence.
func logits(
  _ predictor: LlamaPredictor, slot: Int = 0, _ tokens: [TokenID]
) throws -> [[Float]] {
  var rows = [[Float]](repeating: [], count: tokens.count)
  try predictor.evaluate([PredictorInput(slot: slot, tokens: tokens, wanted: .all)]) {
    rows[$1] = Array($2)
  }
  return rows
}

/// Returns the largest absolute difference between two sets of logits.
func largestDifference(_ a: [[Float]], _ b: [[Double]]) -> Double {
  zip(a, b).flatMap { zip($0, $1).map { abs(Double($0) - $1) } }.max() ?? .infinity
}

/// Returns floats as bits, so that a comparison is exact and distinguishes 0 from -0.
func bits(_ rows: [[Float]]) -> [[UInt32]] { rows.map { $0.map(\.bitPattern) } }

/// Returns pseudorandom tokens, which depend only on the arguments.
func someTokens(_ count: Int, below limit: Int, seed: UInt64 = 3) -> [TokenID] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { _ in TokenID(random.below(limit)) }
}

/// Writes a model to a temporary file, and passes the opened model to a closure.
func withModel<Result>(
  _ tiny: TinyModel, _ body: (LocalModel) throws -> Result
) throws -> Result {
  try withTemporaryFile(tiny.writer.encoded()) { try body(try LocalModel(path: $0)) }
}
