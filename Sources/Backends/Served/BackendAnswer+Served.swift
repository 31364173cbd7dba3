import EvalRecords
import GuidedGeneration
import ModelServers
import StructuredText

extension BackendAnswer {
  /// Fills in the answer from a server's reply, with a value of the whole schema or with a failure.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - schema: The whole schema, and the schema as it was sent.
  ///   - prices: The prices of tokens.
  mutating func take(_ reply: ServerReply, _ schema: ServedSchema, prices: TokenPrices?) {
    promptTokens = reply.promptTokens
    outputTokens = reply.outputTokens
    output = reply.text
    var details = ServedAnswer()
    details.model = reply.model
    details.fingerprint = reply.fingerprint
    details.reasoningTokens = reply.reasoningTokens
    details.cachedTokens = reply.cachedTokens
    details.cost = prices?.cost(of: reply)
    defer { served = details }
    switch reply.ending {
    case .complete: takeValue(reply.text, schema, &details)
    case .tokenLimit:
      end(
        .tokenLimit, .truncated, "the answer reached the token limit before its value was complete")
    case .contextFull:
      end(
        .contextFull, .contextSizeExceeded,
        "the model's context was full before the value was complete")
    case .refusal(let words): end(.refusal, .refusal, words)
    case .unusable(let words): end(.failed, .malformedOutput, words)
    }
  }

  /// Reads the text as a value of the schema.
  private mutating func takeValue(
    _ text: String, _ schema: ServedSchema, _ details: inout ServedAnswer
  ) {
    let answer: JSONValue
    do throws(StructuredTextError) {
      answer = try JSONValue(parsingAnswer: text)
    } catch {
      details.brokenPromise = "the answer is not JSON: \(error)"
      return end(.complete, .malformedOutput, "the answer is not JSON: \(error)")
    }
    let value = schema.sent.restored(answer)
    stopReason = .complete
    if value != answer {
      output = value.compactText
      details.originalText = text
    }
    guard let mismatch = schema.schema.mismatch(of: value) else { return }
    details.brokenPromise = "\(mismatch)"
    end(.complete, .schemaMismatch, "the answer doesn't match its schema: \(mismatch)")
  }

  private mutating func end(
    _ reason: StopReason, _ kind: AttemptFailure.Kind, _ message: String
  ) {
    stopReason = reason
    failure = AttemptFailure(kind: kind, message: message)
  }
}
