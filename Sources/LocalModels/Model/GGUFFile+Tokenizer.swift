import Tokenization

extension GGUFFile {
  /// Reads the description of the tokenizer.
  ///
  /// - Parameter tokenCount: The number of tokens in the model, or `nil` if it is unknown. The file
  ///   may list fewer tokens.
  func tokenizerDefinition(tokenCount: Int?) throws(ModelFileError) -> TokenizerDefinition {
    guard let model = try string("tokenizer.ggml.model") else {
      throw failure("tokenizer.ggml.model", .missing)
    }
    guard let tokens = try strings("tokenizer.ggml.tokens") else {
      throw failure("tokenizer.ggml.tokens", .missing)
    }
    guard (1...(tokenCount ?? Int(Int32.max))).contains(tokens.count) else {
      throw failure(
        "tokenizer.ggml.tokens", .invalid("\(tokens.count) tokens"),
        allowed: "1 to \(tokenCount ?? Int(Int32.max))")
    }
    var size = 0
    for number in 0..<tokens.count {
      let length = tokens[number].count
      size += length
      guard length <= 65535, size <= Int(Int32.max) else {
        throw failure(
          "tokenizer.ggml.tokens[\(number)]", .invalid("a token of \(length) bytes"),
          allowed: "up to 65535 each, \(Int32.max) together")
      }
    }
    let types = try tokenTypes(tokens)
    let scores = try numbers("tokenizer.ggml.scores") { Float($1) } ?? []
    guard scores.isEmpty || scores.count == tokens.count else {
      throw failure(
        "tokenizer.ggml.scores", .invalid("\(scores.count) scores"), allowed: "\(tokens.count)")
    }
    let algorithm: TokenizerDefinition.Algorithm
    var merges = ByteStrings([])
    switch model {
    case "llama": algorithm = .sentencePiece
    case "gpt2":
      algorithm = .bytePairs(try splitting())
      merges = try self.merges()
    default:
      throw failure(
        "tokenizer.ggml.model", .unsupported("tokenizer \(model)"), allowed: "llama, gpt2")
    }
    func token(_ key: String) throws(ModelFileError) -> TokenID? {
      let limit = Int(Int32.max)
      // If there is no such token, some files contain -1 or the largest 32-bit number.
      guard let id = try integer("tokenizer.ggml.\(key)_token_id", in: -1...limit * 2 + 1),
        (0..<tokens.count).contains(id)
      else { return nil }
      return TokenID(id)
    }
    var ends = Set([try token("eos"), try token("eot"), try token("eom")].compactMap { $0 })
    for (number, type) in types.enumerated()
    where type == .control && Self.endTokens.contains(Array(tokens[number])) {
      ends.insert(TokenID(number))
    }
    let addsBegin = try boolean("tokenizer.ggml.add_bos_token")
    return TokenizerDefinition(
      algorithm: algorithm, tokens: tokens, types: types, scores: scores, merges: merges,
      beginToken: try token("bos"), endTokens: ends.sorted(),
      addsBeginToken: addsBegin ?? algorithm.addsBeginTokenByDefault,
      addsSpacePrefix: try boolean("tokenizer.ggml.add_space_prefix") ?? true)
  }

  /// The tokens that end an answer in the known chat formats.
  private static let endTokens: Set<[UInt8]> = Set(
    [
      "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>",
      "<end_of_turn>", "</s>", "<eos>",
    ].map { Array($0.utf8) })

  /// Further marks of the known chat formats, which some converters label as "user defined".
  private static let marks: Set<[UInt8]> = Set(
    ["<start_of_turn>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"]
      .map { Array($0.utf8) })

  private func tokenTypes(
    _ tokens: ByteStrings
  ) throws(ModelFileError) -> [TokenizerDefinition.TokenType] {
    let key = "tokenizer.ggml.token_type"
    if let value = metadata[key], case .array(let array) = value, array.count != tokens.count {
      throw failure(key, .invalid("\(array.count) types"), allowed: "\(tokens.count)")
    }
    let types = try numbers(key, allowed: "0 to 6") { index, number in
      // 0 means "undefined". Some converters write it for ordinary tokens.
      TokenizerDefinition.TokenType(rawValue: number == 0 ? 1 : Int(exactly: number) ?? -1)
        .map { $0 == .userDefined && Self.isMark(tokens[index]) ? .control : $0 }
    }
    return types ?? Array(repeating: .normal, count: tokens.count)
  }

  /// Returns whether a token is a control token that some converters label as "user defined".
  private static func isMark(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
    token.count > 4 && token.starts(with: "<|".utf8) && token.suffix(2).elementsEqual("|>".utf8)
      || endTokens.contains(Array(token)) || marks.contains(Array(token))
  }

  private func splitting() throws(ModelFileError) -> TextSplitting {
    let key = "tokenizer.ggml.pre"
    let known = TextSplitting.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = try string(key) else { throw failure(key, .missing, allowed: known) }
    guard let splitting = TextSplitting(fileName: name) else {
      throw failure(key, .unsupported("the splitting rule \(name)"), allowed: known)
    }
    return splitting
  }

  /// Reads the merges.
  ///
  /// Each merge is two parts with a space between them.
  private func merges() throws(ModelFileError) -> ByteStrings {
    let key = "tokenizer.ggml.merges"
    guard let lines = try strings(key) else { throw failure(key, .missing) }
    for number in 0..<lines.count {
      let line = lines[number]
      guard line.count <= 65535, TokenizerDefinition.division(ofMerge: line) != nil else {
        throw failure(
          "\(key)[\(number)]", .invalid("this merge"),
          allowed: "two parts with a space between them")
      }
    }
    return lines
  }
}
