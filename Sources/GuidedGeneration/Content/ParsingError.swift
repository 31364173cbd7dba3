import SystemBasics

extension GeneratedContent {
  /// The error for generated text that can't be read as the requested value.
  ///
  /// As in Apple's framework, a session also throws this error if a response ends before its value
  /// is complete, for example at the maximum number of tokens.
  public struct ParsingError: LocalizedError, Sendable, CustomDebugStringConvertible {
    /// The generated text, or the JSON text of the part that doesn't fit.
    public var rawContent: String
    /// The reason why the text could not be read, if it is known.
    public var underlyingError: (any Error)?
    /// A description of the problem for developers.
    public var debugDescription: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - rawContent: The generated text, or the JSON text of the part that doesn't fit.
    ///   - underlyingError: The reason why the text could not be read, if it is known.
    ///   - debugDescription: A description of the problem for developers.
    public init(
      rawContent: String, underlyingError: (any Error)? = nil, debugDescription: String
    ) {
      self.rawContent = rawContent
      self.underlyingError = underlyingError
      self.debugDescription = debugDescription
    }

    /// A sentence that contains the debug description.
    public var errorDescription: String? {
      "The generated content could not be read: \(debugDescription)"
    }
  }
}

/// The reason why a text is not JSON, and the offset of the problem in UTF-8 bytes.
package struct JSONTextProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  package enum Reason: Hashable, Sendable {
    case unexpected(String, expected: String)
    case trailingText
    case controlCharacter
    case invalidEscape
    case loneSurrogate
    case invalidNumber
    case numberTooLarge
    case duplicateKey(String)
    case tooDeep(limit: Int)
  }

  package var reason: Reason
  package var offset: Int

  package var description: String {
    let what =
      switch reason {
      case .unexpected(let found, let expected): "found \(found) instead of \(expected)"
      case .trailingText: "the value is followed by more text"
      case .controlCharacter: "a control character must be escaped in a string"
      case .invalidEscape: "unknown escape"
      case .loneSurrogate: "only half of a surrogate pair"
      case .invalidNumber: "this is not a number"
      case .numberTooLarge: "the number is too large"
      case .duplicateKey(let key): "the key “\(key)” appears twice"
      case .tooDeep(let limit): "nested deeper than \(limit) levels"
      }
    return "\(what) (offset \(offset))"
  }
}

/// The reason why content can't be decoded as a type.
package enum ContentProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The content has a different kind than the type requires.
  case kind(found: String, expected: String)
  /// The structure lacks the property.
  case missingProperty(String, properties: [String])
  /// The number is not a value of the type.
  case number(String, type: String)
  /// The enum has no case with this name.
  case unknownCase(String)

  package var description: String {
    switch self {
    case .kind(let found, let expected): "found \(found) instead of \(expected)"
    case .missingProperty(let name, let properties):
      "there is no property “\(name)”; allowed: \(properties.joined(separator: ", "))"
    case .number(let text, let type): "\(text) is not a value of type \(type)"
    case .unknownCase(let name): "there is no case “\(name)”"
    }
  }
}
