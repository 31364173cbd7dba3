import EvalRecords
import Foundation
import GuidedGeneration
import LocalModels

/// Writes what a local model is asked: instructions and the schema's outline, the conversation, and a
/// cue at its end.
///
/// ```
/// system   You make study cards.            the suite's instructions
///          Answer with JSON of type …       the outline
/// user     Photosynthesis turns light …     the prompt
///          JSON:                            the cue
/// ```
/// The cue makes small models begin with a value: without one, a mask has to push them off prose. It
/// goes with an outline; where the prompt doesn't show the schema, it doesn't ask for JSON either.
struct PromptWriter {
  /// How a conversation is written.
  let format: ChatFormat
  /// What the prompt ends with; nil for models that were trained without.
  let cue: String?

  /// The cue of all models but the toy.
  static let usualCue = "JSON:"

  /// The conversation up to where the answer begins.
  func pieces(of request: BackendRequest, _ schema: GenerationSchema) -> [ChatPiece] {
    let texts = RequestTexts(
      request, schema, outline: request.includesSchemaInPrompt ? request.settings.outline : .none,
      cue: cue)
    let earlier = request.history.map { turn in
      ChatTurn(turn.speaker == .model ? .assistant : .user, turn.text.trimmedLines)
    }
    return format.render(system: texts.system, earlier: earlier, user: texts.user)
  }
}

/// The texts of a request that come before the chat format: the same for local and served models.
struct RequestTexts {
  /// The instructions and the outline.
  let system: String
  /// The prompt and the cue.
  let user: String

  /// Puts the texts of a request together.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - schema: Its schema.
  ///   - style: How the schema is shown.
  ///   - cue: The end of the prompt; it goes with an outline.
  init(
    _ request: BackendRequest, _ schema: GenerationSchema,
    outline style: GenerationSettings.Outline, cue: String?
  ) {
    let outline = PromptOutline(rawValue: style.rawValue).flatMap { schema.outline(as: $0) }
    system = [request.instructions, outline].compactMap { $0?.trimmedLines }
      .joined(separator: "\n\n")
    user = [request.prompt.trimmedLines, style == .none ? nil : cue].compactMap(\.self)
      .joined(separator: "\n\n")
  }
}

extension String {
  /// The text without white space and line ends around it, as chat templates trim it.
  fileprivate var trimmedLines: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
