import StructuredText

extension PromptTemplate {
  /// Returns the variables' values for which the template renders a given prompt.
  ///
  /// White space around the prompt is ignored. The result is `nil` if there are no such values, or
  /// if it is ambiguous where a value begins or ends.
  package func values(in prompt: String) -> JSONObject? {
    let wanted = prompt.trimmingWhitespace
    guard let values = values(matching: wanted[...]),
      render(values).trimmingWhitespace == wanted
    else { return nil }
    return values
  }

  private func values(matching prompt: Substring) -> JSONObject? {
    var values = JSONObject()
    var rest = prompt
    var name: String?
    func bind(_ text: Substring) -> Bool {
      guard let bound = name else { return text.isEmpty }
      name = nil
      if let known = values[bound] { return known.string == String(text) }
      values[bound] = .string(String(text))
      return true
    }
    let pieces = piecesWithoutOuterSpace
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .variable(let next):
        // If no text separates two variables, it is unclear where the first variable ends.
        guard name == nil else { return nil }
        name = next
      case .text(let text):
        guard let place = rest.firstRange(of: text) else { return nil }
        let isLast = index == pieces.count - 1
        if isLast {
          guard rest.hasSuffix(text), bind(rest.dropLast(text.count)) else { return nil }
          return values
        }
        // If the text occurs more than once, it is unclear where the variable ends.
        if name != nil, rest[place.upperBound...].contains(text) { return nil }
        guard bind(rest[..<place.lowerBound]) else { return nil }
        rest = rest[place.upperBound...]
      }
    }
    return bind(rest) ? values : nil
  }

  /// The parts of the template, without white space at the beginning and the end.
  private var piecesWithoutOuterSpace: [Part] {
    var pieces = parts
    if case .text(let text)? = pieces.first {
      let text = String(text.drop(while: \.isWhitespace))
      pieces[0] = .text(text)
      if text.isEmpty { pieces.removeFirst() }
    }
    if case .text(let text)? = pieces.last {
      let end = text.lastIndex { !$0.isWhitespace }
      pieces.removeLast()
      if let end { pieces.append(.text(String(text[...end]))) }
    }
    return pieces
  }
}

extension String {
  /// The text without white space at the beginning and the end.
  fileprivate var trimmingWhitespace: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
