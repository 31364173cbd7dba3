public import StructuredText

/// The endpoints of llama-server that together report the probabilities of the next token after any
/// sequence of tokens.
///
/// ```
/// messages ─ /apply-template ─► prompt ─ /tokenize ─► token ids + path ─ /completion ─► list
/// ```
///
/// The endpoints are at the server's root, not below `/v1`.
public struct LlamaPrefixes: Sendable {
  /// Creates a value, which has no state.
  public init() {}

  /// Returns the call that requests the text of a prompt in the model's chat format.
  ///
  /// - Parameter question: The question with the prompt.
  public func template(of question: ServerQuestion) -> ServerCall {
    let messages = question.messages(system: "system", model: "assistant")
    return call("/apply-template", ["messages": .array(messages)])
  }

  /// Reads the text of a prompt.
  ///
  /// - Parameter body: The response to `template(of:)`.
  /// - Returns: The text, or `nil` if the response has none.
  public func prompt(from body: JSONValue) -> String? { body["prompt"]?.string }

  /// Returns the call that requests a prompt's tokens, including special tokens.
  ///
  /// - Parameter prompt: The prompt's text.
  public func tokenization(of prompt: String) -> ServerCall {
    call(
      "/tokenize", ["content": .string(prompt), "add_special": true, "parse_special": true])
  }

  /// Reads the tokens of a prompt.
  ///
  /// - Parameter body: The response to `tokenization(of:)`.
  /// - Returns: The ids, or `nil` if the response has none.
  public func tokens(from body: JSONValue) -> [Int]? {
    guard let list = body["tokens"]?.array, !list.isEmpty else { return nil }
    let ids = list.compactMap { $0.int ?? $0["id"]?.int }
    return ids.count == list.count ? ids : nil
  }

  /// Returns the call that requests the most likely tokens after a sequence of tokens.
  ///
  /// - Parameters:
  ///   - tokens: The ids of the prompt's tokens and of any tokens after the prompt.
  ///   - listed: The number of tokens to list.
  public func next(after tokens: [Int], listed: Int) -> ServerCall {
    call(
      "/completion",
      [
        "prompt": .array(tokens.map { .number(JSONNumber($0)) }), "n_predict": 1,
        "n_probs": .number(JSONNumber(listed)), "temperature": 1, "cache_prompt": true,
      ])
  }

  /// Reads the most likely tokens.
  ///
  /// - Parameter body: The response to `next(after:listed:)`.
  /// - Returns: The list, or `nil` if the response has none.
  public func list(from body: JSONValue) -> ListedToken? {
    ListedToken.list(body["completion_probabilities"]).first
  }

  private func call(_ path: String, _ body: JSONObject) -> ServerCall {
    ServerCall(path: path, headers: [], body: .object(body), unapplied: [])
  }
}
