/// What Assay reads from the chat template of a model file: the format, the default system text,
/// and whether texts are trimmed.
///
/// Assay doesn't run the template, which is a program from an untrusted file.
public struct ChatTemplate: Sendable, Hashable {
  /// The format of conversations.
  public var format: ChatFormat
  /// The system text of conversations that have none, or an empty string for no system turn.
  public var defaultSystem: String
  /// Whether the template removes the white space at the ends of each text.
  public var trimsTexts: Bool

  /// Creates the usual template of a format.
  ///
  /// It has no default system text. It trims texts if the format's publisher does so.
  public init(_ format: ChatFormat) {
    self.format = format
    defaultSystem = ""
    trimsTexts = format == .llama3 || format == .gemma
  }

  /// Reads a template.
  ///
  /// - Parameter source: The file's `tokenizer.chat_template`.
  /// - Returns: The template, or `nil` if it contains no known mark.
  public init?(source: String) {
    guard let format = ChatFormat(template: source) else { return nil }
    let reader = TemplateReader(source)
    self.format = format
    defaultSystem = reader.defaultSystem(format) ?? ""
    trimsTexts = reader.trimsTexts
  }

  /// Writes a conversation up to the beginning of the model's answer.
  ///
  /// - Parameters:
  ///   - system: The instructions, or an empty string for the template's default.
  ///   - earlier: The earlier turns of the conversation.
  ///   - user: The user's text.
  /// - Returns: The marks and texts, in order.
  public func render(
    system: String, earlier: [ChatTurn] = [], user: String
  ) -> [ChatPiece] {
    format.render(
      system: system.isEmpty ? defaultSystem : format.hasSystemTurn ? trimmed(system) : system,
      earlier: earlier.map { ChatTurn($0.role, trimmed($0.text)) }, user: trimmed(user))
  }

  /// Returns a text as the template writes it.
  private func trimmed(_ text: String) -> String {
    guard trimsTexts else { return text }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !Self.isSpace($0) }),
      let last = scalars.lastIndex(where: { !Self.isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Whether Python, in which templates are defined, counts a scalar as white space.
  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
  }
}
