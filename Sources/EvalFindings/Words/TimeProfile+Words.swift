import EvalRecords

extension TimeProfile.Phase {
  /// The name of the phase in a table: `evaluating answers`.
  package var words: String {
    switch self {
    case .preparation: "preparing prompts and schemas"
    case .prompts: "evaluating prompts"
    case .answers: "evaluating answers"
    case .alternatives: "evaluating alternatives"
    case .masks: "masks"
    case .sampling: "sampling"
    case .decisions: "decisions and format pressure"
    case .batching: "batching"
    case .judging: "judging"
    case .storing: "storing"
    }
  }

  /// The work in the phase, in the imperative.
  package var explanation: String {
    switch self {
    case .preparation: "render prompts, split them into tokens, compile schemas"
    case .prompts: "run the model on the tokens of prompts"
    case .answers: "run the model on the tokens of answers, including drafts"
    case .alternatives: "run the model on paths that were not sampled, to measure decisions"
    case .masks: "find the allowed tokens, follow the schema"
    case .sampling: "turn logits into probabilities, choose tokens"
    case .decisions: "add up the probabilities of options, record steps"
    case .batching: "collect the next tokens, share common prefixes, build answers"
    case .judging: "read answers and evaluate assertions"
    case .storing: "write attempts to the database"
    }
  }
}
