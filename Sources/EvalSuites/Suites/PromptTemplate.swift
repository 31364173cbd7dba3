import StructuredText

/// A prompt with variables, for example `Turn this into cards: {{input}}`.
public struct PromptTemplate: Sendable, Hashable {
  /// A part of a template.
  enum Part: Sendable, Hashable {
    case text(String)
    case variable(String)
  }

  /// The template as written.
  public let text: String
  /// The parts in order, without adjacent text parts.
  let parts: [Part]

  /// An error for a text that isn't a valid template.
  struct SyntaxProblem: Error {
    var problem: String
    var allowed: String
  }

  /// Creates a template by parsing text.
  init(parsing text: String) throws(SyntaxProblem) {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.unicodeScalars.firstRange(of: "{{".unicodeScalars) {
      if open.lowerBound > rest.startIndex {
        parts.append(.text(String(rest[..<open.lowerBound])))
      }
      let inside = rest[open.upperBound...]
      guard let close = inside.unicodeScalars.firstRange(of: "}}".unicodeScalars) else {
        throw SyntaxProblem(
          problem: "`{{` is not closed in the prompt", allowed: "`}}` must follow")
      }
      let name = inside[..<close.lowerBound].trimmed
      guard !name.isEmpty, !name.contains("{"), !name.contains(where: \.isNewline) else {
        throw SyntaxProblem(
          problem: "`{{\(name)}}` is not a variable", allowed: "a name such as `{{input}}`")
      }
      parts.append(.variable(name))
      rest = inside[close.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// The names of the variables, in order of first use.
  public var variables: [String] {
    parts.reduce(into: []) { names, part in
      if case .variable(let name) = part, !names.contains(name) { names.append(name) }
    }
  }

  /// Returns the prompt with the variables replaced by their values.
  ///
  /// Strings are inserted unchanged, and all other values as compact JSON. A variable without a
  /// value is removed.
  ///
  /// - Parameter values: The values, keyed by variable name.
  public func render(_ values: JSONObject) -> String {
    parts.reduce(into: "") { prompt, part in
      switch part {
      case .text(let text): prompt += text
      case .variable(let name):
        guard let value = values[name] else { return }
        prompt += value.string ?? value.compactText
      }
    }
  }
}

extension Substring {
  /// The text without white space at the beginning and the end.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
