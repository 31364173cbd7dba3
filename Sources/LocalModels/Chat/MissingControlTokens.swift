import Tokenization

/// The vocabulary of a model lacks control tokens of a chat format.
///
/// The model would read the marks of the format as ordinary text, which it wasn't trained to do.
public struct MissingControlTokens: Error, Sendable, Hashable {
  /// The chat format.
  public var format: ChatFormat
  /// Whether the format is the one of the file's chat template, and nobody chose it.
  public var isOfFile: Bool
  /// The control tokens that the vocabulary lacks.
  public var missing: [String]
  /// The formats whose control tokens the vocabulary has.
  public var usable: [ChatFormat]
}

extension MissingControlTokens: CustomStringConvertible {
  /// What is wrong, without what is allowed.
  public var problem: String {
    let tokens = missing.map { "`\($0)`" }.joined(separator: ", ")
    return (isOfFile ? "the file's chat template has the format" : "the chat format is")
      + " \(format.rawValue), but the model's vocabulary lacks its control "
      + (missing.count == 1 ? "token" : "tokens") + " \(tokens)"
  }

  /// What is allowed instead.
  public var allowed: String {
    "the vocabulary has the control tokens of \(usable.map(\.rawValue).joined(separator: ", "))"
  }

  /// What is wrong, and what is allowed.
  public var description: String {
    problem + "; " + allowed + (isOfFile ? "; choose one of them with --chat-format" : "")
  }
}

extension LocalModel {
  /// Returns how conversations with the model are written.
  ///
  /// - Parameter chosen: The chosen format, or `nil` for the format of the file's template, or
  ///   `plain` if the template's format isn't known.
  /// - Returns: The file's template if it has the chosen format, and otherwise the usual template
  ///   of the format.
  /// - Throws: `MissingControlTokens` if the vocabulary lacks control tokens of the format.
  public func chatTemplate(
    _ chosen: ChatFormat? = nil
  ) throws(MissingControlTokens) -> ChatTemplate {
    let own = info.chatTemplate
    let format = chosen ?? own?.format ?? .plain
    let missing = missingTokens(of: format)
    guard missing.isEmpty else {
      throw MissingControlTokens(
        format: format, isOfFile: chosen == nil, missing: missing,
        usable: ChatFormat.allCases.filter { missingTokens(of: $0).isEmpty })
    }
    if let own, own.format == format { return own }
    return ChatTemplate(format)
  }

  private func missingTokens(of format: ChatFormat) -> [String] {
    format.controlTokens.filter { tokenizer.specialToken($0) == nil }
  }

  /// Returns the parts of a rendered conversation that look like control tokens but are ordinary
  /// text, because they come from an input.
  ///
  /// - Parameter pieces: The conversation.
  /// - Returns: The ranges of the parts in the UTF-8 bytes of the conversation.
  public func lookalikes(in pieces: [ChatPiece]) -> [Range<Int>] {
    var (found, offset): ([Range<Int>], Int) = ([], 0)
    for piece in pieces {
      if case .text(let text) = piece {
        found += tokenizer.specialSpellings(in: text).map {
          offset + $0.lowerBound..<offset + $0.upperBound
        }
      }
      offset += piece.written.utf8.count
    }
    return found
  }
}
