import Foundation

extension GeneratedContent {
  /// Generated text that is not the value that was asked for.
  public struct ParsingError: LocalizedError, Sendable, CustomDebugStringConvertible {
    /// What was generated.
    public var rawContent: String
    /// Why it could not be read.
    public var underlyingError: (any Error)?
    /// What went wrong, in words.
    public var debugDescription: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - rawContent: What was generated.
    ///   - underlyingError: Why it could not be read.
    ///   - debugDescription: What went wrong, in words.
    public init(
      rawContent: String, underlyingError: (any Error)? = nil, debugDescription: String
    ) {
      self.rawContent = rawContent
      self.underlyingError = underlyingError
      self.debugDescription = debugDescription
    }

    public var errorDescription: String? {
      "The generated content could not be read: \(debugDescription)"
    }
  }
}

/// Why a text is not JSON: what is wrong and the offset in UTF-8 bytes at which it is.
package struct JSONTextProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
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
      case .invalidEscape: "there is no such escape"
      case .loneSurrogate: "half of a surrogate pair"
      case .invalidNumber: "this is not a number"
      case .numberTooLarge: "the number is too large"
      case .duplicateKey(let key): "the key “\(key)” stands twice"
      case .tooDeep(let limit): "nested deeper than \(limit) levels"
      }
    return "\(what) (offset \(offset))"
  }
}

/// Why content does not decode as a type.
package enum ContentProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The content is of another kind.
  case kind(found: String, expected: String)
  /// The structure lacks the property.
  case missingProperty(String, properties: [String])
  /// The number is no value of the type.
  case number(String, type: String)
  /// There is no case of this name.
  case unknownCase(String)

  package var description: String {
    switch self {
    case .kind(let found, let expected): "found \(found) instead of \(expected)"
    case .missingProperty(let name, let properties):
      "there is no property “\(name)”; there is \(properties.joined(separator: ", "))"
    case .number(let text, let type): "\(text) is no value of type \(type)"
    case .unknownCase(let name): "there is no case “\(name)”"
    }
  }
}
