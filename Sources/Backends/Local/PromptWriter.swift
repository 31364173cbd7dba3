import EvalRecords
import GuidedGeneration
import LocalModels

/// Writes the input of a local model: instructions and the schema's outline, the conversation, and
/// a cue at the end.
///
/// ```
/// system   You make study cards.            the suite's instructions
///          Answer with JSON of type …       the outline
/// user     Photosynthesis turns light …     the prompt
///          JSON:                            the cue
/// ```
///
/// The cue makes small models begin with a value. Without a cue, they often begin with prose, which
/// the mask must then forbid. There is a cue only if there is an outline, because a prompt that
/// doesn't show the schema doesn't ask for JSON either.
struct PromptWriter {
  /// The model's chat template.
  let template: ChatTemplate
  /// The end of each prompt that shows the schema, or `nil` for no cue, for example because the
  /// model was trained without a cue.
  let cue: String?

  /// The cue for every model except the toy.
  static let usualCue = "JSON:"

  /// Returns the conversation up to the beginning of the answer.
  func pieces(of request: BackendRequest, _ schema: GenerationSchema) -> [ChatPiece] {
    let texts = RequestTexts(
      request, schema, outline: request.includesSchemaInPrompt ? request.settings.outline : .none,
      cue: cue)
    let earlier = request.history.map { turn in
      ChatTurn(turn.speaker == .model ? .assistant : .user, turn.text)
    }
    return template.render(system: texts.system, earlier: earlier, user: texts.user)
  }
}

/// The texts of a request to a local or served model, before a chat template is applied.
///
/// The texts keep the white space of the prompt and the instructions, which a chat template may
/// remove.
struct RequestTexts {
  /// The instructions and the outline.
  let system: String
  /// The prompt and the cue.
  let user: String

  /// Creates the texts of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - schema: The request's schema.
  ///   - style: The style of the outline, or `.none` for no outline.
  ///   - cue: The end of a prompt with an outline, or `nil` for no cue.
  init(
    _ request: BackendRequest, _ schema: GenerationSchema,
    outline style: GenerationSettings.Outline, cue: String?
  ) {
    let outline = PromptOutline(rawValue: style.rawValue).flatMap { schema.outline(as: $0) }
    let instructions = request.instructions.flatMap { $0.isEmpty ? nil : $0 }
    system = [instructions, outline].compactMap(\.self).joined(separator: "\n\n")
    user = [request.prompt, style == .none ? nil : cue].compactMap(\.self)
      .joined(separator: "\n\n")
  }
}
