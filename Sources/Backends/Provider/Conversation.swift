import EvalRecords
import GuidedGeneration
import LanguageModelSessions

/// A transcript converted to the turns of a request: the user's and the model's, in sequence.
///
/// The last turn, if it is the user's, becomes the prompt.
///
/// A request has two speakers: the user and the model. A tool's output becomes a user turn. A tool
/// call becomes a model turn that contains the call as JSON. Consecutive turns of the same speaker
/// become one turn.
struct Conversation {
  var instructions: String?
  var history: [ConversationTurn] = []
  var prompt = ""

  init(_ transcript: Transcript) {
    var instructions: [String] = []
    for entry in transcript {
      switch entry {
      case .instructions(let entry): instructions.append(entry.segments.text)
      case .prompt(let entry): add(.user, entry.segments.text)
      case .response(let entry): add(.model, entry.segments.text)
      case .toolCalls(let entry):
        for call in entry { add(.model, ToolStepSchema.text(of: call)) }
      case .toolOutput(let entry): add(.user, "\(entry.toolName): \(entry.segments.text)")
      case .reasoning, .data: break
      }
    }
    self.instructions = instructions.isEmpty ? nil : instructions.joined(separator: "\n\n")
    if history.last?.speaker == .user, let last = history.popLast() { prompt = last.text }
  }

  private mutating func add(_ speaker: ConversationTurn.Speaker, _ text: String) {
    if let last = history.indices.last, history[last].speaker == speaker {
      history[last].text += "\n\n\(text)"
    } else {
      history.append(ConversationTurn(speaker, text))
    }
  }
}
