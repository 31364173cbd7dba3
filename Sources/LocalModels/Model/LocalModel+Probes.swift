public import Tokenization

// Methods for comparing a model file with another program's numbers.
extension LocalModel {
  /// Returns the logits at the given positions of a text.
  ///
  /// - Parameters:
  ///   - tokens: The text's tokens, including the begin token if the text should have one.
  ///   - rows: The positions, counted from 0, in any order. Positions may repeat.
  ///   - instructionSet: The instruction set to use.
  /// - Returns: A row of logits for each position, with a logit for each token of the vocabulary.
  /// - Throws: `PredictorError` if the tokens don't fit into the context, or if a token is not in
  ///   the vocabulary.
  public func logits(
    tokens: [TokenID], rows: [Int], instructionSet: InstructionSet = .best
  ) throws(PredictorError) -> [[Float]] {
    precondition(rows.allSatisfy(tokens.indices.contains), "every row is an index of `tokens`")
    let wanted = Set(rows)
    let predictor = makePredictor(
      slots: 1, contextLength: max(tokens.count, 1), instructionSet: instructionSet)
    var seen: [Int: [Float]] = [:]
    try predictor.evaluate([PredictorInput(slot: 0, tokens: tokens, wanted: .all)]) {
      if wanted.contains($1) { seen[$1] = Array($2) }
    }
    return rows.map { seen[$0] ?? [] }
  }

  /// Reads the tokenizer of a file, which may contain only a vocabulary.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: `ModelFileError` if the file is damaged or not supported.
  public static func tokenizer(path: String) throws(ModelFileError) -> Tokenizer {
    let file = try GGUFFile(path: path)
    let count = file.tensors["token_embd.weight"]?.rows
    return Tokenizer(try file.tokenizerDefinition(tokenCount: count), tokenCount: count)
  }
}
