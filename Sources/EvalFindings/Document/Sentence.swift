import EvalRecords

/// A text made of phrases.
package struct Sentence {
  package private(set) var phrases: [ReportHeadline.Phrase] = []

  package var isEmpty: Bool { phrases.isEmpty }

  package mutating func text(_ text: String) { phrases.append(.text(text)) }

  package mutating func finding(_ text: String, _ target: String?, isGood: Bool = false) {
    phrases.append(.finding(VisibleText.line(text), target: target, isGood: isGood))
  }

  package mutating func code(_ text: String) { phrases.append(.code(VisibleText.line(text))) }

  /// Adds the beginning of a name.
  package mutating func name(_ text: String) {
    code(ClippedText.line(text, limit: HeadlinePart.maximumName))
  }

  /// Adds a space, unless the text is empty.
  package mutating func space() { if !phrases.isEmpty { text(" ") } }

  /// Adds a sentence, after a space if the text isn't empty.
  package mutating func add(_ words: String) {
    space()
    text(words)
  }

  /// Adds another text after this one.
  package mutating func append(_ other: Sentence) {
    guard !other.isEmpty else { return }
    space()
    phrases += other.phrases
  }

  /// Returns the number of decimals for the rate that a gate requires: as many as it has or, if it
  /// has too many, 1.
  package static func decimals(_ rate: Double) -> Int { exactDecimals(rate) ?? 1 }

  /// Returns the number of decimals that a rate has in percent, or `nil` if there are more than 4.
  static func exactDecimals(_ rate: Double) -> Int? {
    var scaled = rate * 100
    for decimals in 0...4 {
      if abs(scaled - scaled.rounded()) < 1e-7 { return decimals }
      scaled *= 10
    }
    return nil
  }
}

/// A part of a headline: a lead about what happened, and the details below it.
package struct HeadlinePart {
  /// The maximum number of bytes of a name in a headline.
  package static let maximumName = 60

  var lead = Sentence()
  package var rest = Sentence()
}
