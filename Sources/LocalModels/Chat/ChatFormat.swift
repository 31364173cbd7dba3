/// The markup in which a conversation is written for a model.
///
/// A model file contains the format as a program in a template language. The engine doesn't run the
/// program. Instead, it recognizes a known format by the marks in the program.
public enum ChatFormat: String, Sendable, Hashable, CaseIterable {
  /// `<|im_start|>role … <|im_end|>`: Qwen, SmolLM2 and many others.
  case chatML = "chatml"
  /// ChatML with an empty thought at the start of the answer, for models that can think first.
  case chatMLWithoutThinking = "chatml-no-think"
  /// `<|start_header_id|>role<|end_header_id|> … <|eot_id|>`.
  case llama3
  /// `<start_of_turn>role … <end_of_turn>`. The system text precedes the user's text.
  case gemma
  /// `<|role|> … <|end|>`.
  case phi
  /// `<|im_start|>role<|im_sep|> … <|im_end|>`, without line breaks: Phi-4.
  case phi4
  /// `[INST] … [/INST]`. The system text precedes the user's text.
  case mistral
  /// `[SYSTEM_PROMPT] … [/SYSTEM_PROMPT][INST] … [/INST]`, without spaces: Mistral since 2025.
  case mistralSystem = "mistral-v7"
  /// `<|role|> … </s>`: TinyLlama, Zephyr.
  case zephyr
  /// No marks, only the texts, separated by empty lines.
  ///
  /// If there are earlier turns, each turn begins with the speaker's label.
  case plain

  /// Recognizes the format that a template produces.
  ///
  /// - Parameter template: The file's `tokenizer.chat_template`.
  /// - Returns: The format, or `nil` if the template contains no known mark.
  public init?(template: String) {
    if template.contains("<|im_sep|>") {
      self = .phi4
    } else if template.contains("<|im_start|>") {
      self = template.contains("enable_thinking") ? .chatMLWithoutThinking : .chatML
    } else if template.contains("<|start_header_id|>") {
      self = .llama3
    } else if template.contains("<start_of_turn>") {
      self = .gemma
    } else if template.contains("<|assistant|>"), template.contains("<|end|>") {
      self = .phi
    } else if template.contains("<|assistant|>"), template.contains("<|user|>"),
      template.contains("eos_token") || template.contains("</s>")
    {
      self = .zephyr
    } else if template.contains("[SYSTEM_PROMPT]") {
      self = .mistralSystem
    } else if template.contains("[INST]") {
      self = .mistral
    } else {
      return nil
    }
  }

  /// Writes a conversation up to the beginning of the model's answer.
  ///
  /// - Parameters:
  ///   - system: The instructions. If they are empty, the conversation doesn't contain a system
  ///     text.
  ///   - earlier: The earlier turns of the conversation.
  ///   - user: The user's text.
  /// - Returns: The marks and texts, in order.
  public func render(
    system: String, earlier: [ChatTurn] = [], user: String
  ) -> [ChatPiece] {
    var turns = earlier + [ChatTurn(.user, user)]
    if system.isEmpty {
      // Empty instructions get no turn.
    } else if hasSystemTurn {
      turns.insert(ChatTurn(.system, system), at: 0)
    } else if let first = turns.firstIndex(where: { $0.role == .user }) {
      turns[first].text = "\(system)\n\n\(turns[first].text)"
    }
    let isLabelled = self == .plain && !earlier.isEmpty
    return turns.flatMap { isLabelled ? [.text("\($0.label): \($0.text)\n\n")] : pieces(of: $0) }
      + opening
  }

  /// Whether the system text has a separate turn.
  var hasSystemTurn: Bool {
    switch self {
    case .gemma, .mistral, .plain: false
    default: true
    }
  }

  /// The text before and the mark after the text of a system turn, or `nil` if the format has no
  /// system turn.
  var systemTurnEnds: (opening: String, closing: String)? {
    guard hasSystemTurn else { return nil }
    let pieces = pieces(of: ChatTurn(.system, ""))
    guard let last = pieces.lastIndex(where: \.isMark) else { return nil }
    return (pieces[..<last].map(\.written).joined(), pieces[last].written)
  }

  /// The marks that must be tokens of the model's vocabulary, in the order of a conversation.
  ///
  /// Some models of the formats `mistral` and `zephyr` read the marks of speakers as text.
  public var controlTokens: [String] {
    let turns: [ChatTurn] = [ChatTurn(.user, ""), ChatTurn(.assistant, "")]
    let pieces =
      (hasSystemTurn ? pieces(of: ChatTurn(.system, "")) : [])
      + turns.flatMap { self.pieces(of: $0) } + opening
    var marks: [String] = []
    for piece in pieces where piece.isMark && !marks.contains(piece.written) {
      marks.append(piece.written)
    }
    return self == .mistral || self == .zephyr ? marks.filter { $0 == "</s>" } : marks
  }

  private func pieces(of turn: ChatTurn) -> [ChatPiece] {
    let (role, text) = (turn.role, turn.text)
    switch self {
    case .chatML, .chatMLWithoutThinking:
      return [
        .special("<|im_start|>"), .text("\(role)\n\(text)"), .special("<|im_end|>"), .text("\n"),
      ]
    case .llama3:
      return [
        .special("<|start_header_id|>"), .text("\(role)"), .special("<|end_header_id|>"),
        .text("\n\n\(text)"), .special("<|eot_id|>"),
      ]
    case .gemma:
      return [
        .special("<start_of_turn>"), .text("\(role == .user ? "user" : "model")\n\(text)"),
        .special("<end_of_turn>"), .text("\n"),
      ]
    case .phi:
      return [.special("<|\(role)|>"), .text("\n\(text)"), .special("<|end|>"), .text("\n")]
    case .phi4:
      return [
        .special("<|im_start|>"), .text("\(role)"), .special("<|im_sep|>"), .text(text),
        .special("<|im_end|>"),
      ]
    case .zephyr:
      return [.special("<|\(role)|>"), .text("\n\(text)"), .special("</s>"), .text("\n")]
    case .mistral:
      if role == .assistant { return [.text(" \(text)"), .special("</s>")] }
      return [.special("[INST]"), .text(" \(text)"), .special("[/INST]")]
    case .mistralSystem:
      switch role {
      case .system: return [.special("[SYSTEM_PROMPT]"), .text(text), .special("[/SYSTEM_PROMPT]")]
      case .user: return [.special("[INST]"), .text(text), .special("[/INST]")]
      case .assistant: return [.text(text), .special("</s>")]
      }
    case .plain:
      return [.text("\(text)\n\n")]
    }
  }

  /// The pieces that introduce the model's answer.
  private var opening: [ChatPiece] {
    switch self {
    case .chatML: [.special("<|im_start|>"), .text("assistant\n")]
    case .chatMLWithoutThinking:
      [.special("<|im_start|>"), .text("assistant\n<think>\n\n</think>\n\n")]
    case .llama3:
      [
        .special("<|start_header_id|>"), .text("assistant"), .special("<|end_header_id|>"),
        .text("\n\n"),
      ]
    case .gemma: [.special("<start_of_turn>"), .text("model\n")]
    case .phi, .zephyr: [.special("<|assistant|>"), .text("\n")]
    case .phi4: [.special("<|im_start|>"), .text("assistant"), .special("<|im_sep|>")]
    case .mistral, .mistralSystem, .plain: []
    }
  }
}
