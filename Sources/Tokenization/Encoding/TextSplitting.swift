/// The rule by which a byte-pair encoder splits a text into pieces before merging.
///
/// The rules are published as regular expressions; here, scanners over Unicode scalars apply them
/// in linear time. A space directly before a word belongs to the word.
public enum TextSplitting: String, Sendable, Hashable, CaseIterable {
  /// GPT-2: a piece is a contraction, white space, or a run of letters, digits or other characters
  /// with an optional space before it.
  case gpt2 = "gpt-2"
  /// SmolLM: each digit is a piece, and GPT-2's rule applies to the text between digits.
  case smollm
  /// Llama 3: among other differences from GPT-2, contractions may be in any case, and a number has
  /// up to three digits.
  case llama3 = "llama-bpe"
  /// SmolLM3 and Phi-4: Llama 3's rule, but the encoder merges every piece from its parts, even if
  /// the piece is a token.
  case smaug = "smaug-bpe"
  /// Qwen 2: like Llama 3, but each digit is a piece.
  case qwen2
  /// Mistral: a word ends before a capital that follows a lowercase letter, and each digit is a
  /// piece.
  case tekken

  /// Creates a rule from its name in a model file, or nil if the name is unknown.
  ///
  /// A rule may have several names.
  public init?(fileName: String) {
    switch fileName {
    case "llama3", "llama-v3", "falcon3", "pixtral": self = .llama3
    case "dbrx": self = .smaug
    case "deepseek-r1-qwen", "megrez": self = .qwen2
    case "phi-2": self = .gpt2
    default: self.init(rawValue: fileName)
    }
  }

  /// Whether a piece that is a token stays whole, instead of being merged from its parts.
  var takesWholePieces: Bool { self == .llama3 || self == .tekken }

  /// Calls a closure for each piece, with the range of the piece's scalars.
  func pieces(of text: [Unicode.Scalar], _ body: (Range<Int>) -> Void) {
    let scanner = TextScanner(text)
    var start = 0
    while start < text.count {
      let end: Int
      switch self {
      case .gpt2: end = scanner.gpt2(start, limit: text.count)
      case .smollm:
        if scanner.classes[start] == .number {
          end = start + 1
        } else {
          // GPT-2's rule applies only up to the next digit, and must not look past it.
          var limit = start
          while limit < text.count, scanner.classes[limit] != .number { limit += 1 }
          var inner = start
          while inner < limit {
            let next = scanner.gpt2(inner, limit: limit)
            body(inner..<next)
            inner = next
          }
          start = limit
          continue
        }
      case .llama3, .smaug: end = scanner.llama3(start, digits: 3)
      case .qwen2: end = scanner.llama3(start, digits: 1)
      case .tekken: end = scanner.tekken(start)
      }
      body(start..<end)
      start = end
    }
  }
}

/// A text, with a scanner method for each family of splitting rules.
///
/// Each scanner method returns the end of the piece that starts at a position; the end is always
/// past the start.
struct TextScanner {
  enum Class: UInt8 {
    case letter
    case number
    case space
    case other
  }

  let text: [Unicode.Scalar]
  let classes: [Class]

  init(_ text: [Unicode.Scalar]) {
    self.text = text
    classes = text.map(Self.classify)
  }

  /// Classifies a scalar as `\p{L}`, `\p{N}`, `\s`, or none of them.
  static func classify(_ scalar: Unicode.Scalar) -> Class {
    switch scalar.value {
    case 0x61...0x7A, 0x41...0x5A: return .letter
    case 0x30...0x39: return .number
    case 0x20, 0x09...0x0D: return .space
    case ..<0x80: return .other
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      return .letter
    case .decimalNumber, .letterNumber, .otherNumber: return .number
    default: return scalar.properties.isWhitespace ? .space : .other
    }
  }

  /// Returns the end of the run that begins at a position and consists of scalars of one class.
  func run(_ start: Int, _ kind: Class, limit: Int) -> Int {
    var end = start
    while end < limit, classes[end] == kind { end += 1 }
    return end
  }

  /// Returns the end of the contraction, such as `'s`, that begins at a position, or nil if there
  /// is none.
  private func contraction(_ start: Int, limit: Int, anyCase: Bool) -> Int? {
    guard text[start] == "'", start + 1 < limit else { return nil }
    func letter(_ position: Int) -> Unicode.Scalar {
      guard position < limit else { return "\0" }
      let scalar = text[position]
      guard anyCase, (0x41...0x5A).contains(scalar.value) else { return scalar }
      return Unicode.Scalar(UInt8(scalar.value) + 32)
    }
    switch (letter(start + 1), letter(start + 2)) {
    case ("s", _), ("t", _), ("m", _), ("d", _): return start + 2
    case ("r", "e"), ("v", "e"), ("l", "l"): return start + 3
    default: return nil
    }
  }

  /// Applies `\s+(?!\S)|\s+`: white space, but without its last character if there are several and
  /// more text follows.
  private func spaces(_ start: Int, limit: Int) -> Int {
    let end = run(start, .space, limit: limit)
    return end < limit && end - start > 1 ? end - 1 : end
  }

  /// Applies GPT-2's rule: `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
  /// ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
  func gpt2(_ start: Int, limit: Int) -> Int {
    if let end = contraction(start, limit: limit, anyCase: false) { return end }
    let word = text[start] == " " ? start + 1 : start
    if word < limit, classes[word] != .space {
      return run(word, classes[word], limit: limit)
    }
    return spaces(start, limit: limit)
  }

  /// Applies Llama 3's rule, with numbers of up to `digits` digits.
  ///
  /// The rule is: contractions in any case, `[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
  /// ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`.
  func llama3(_ start: Int, digits: Int) -> Int {
    let limit = text.count
    if let end = contraction(start, limit: limit, anyCase: true) { return end }
    let first = classes[start]
    if first == .letter { return run(start, .letter, limit: limit) }
    if first == .number {
      return run(start, .number, limit: min(limit, start + digits))
    }
    if !isLineBreak(start), start + 1 < limit, classes[start + 1] == .letter {
      return run(start + 1, .letter, limit: limit)
    }
    let word = text[start] == " " ? start + 1 : start
    if word < limit, classes[word] == .other {
      var end = run(word, .other, limit: limit)
      while end < limit, isLineBreak(end) { end += 1 }
      return end
    }
    return spacesWithLineBreaks(start)
  }

  /// Applies `\s*[\r\n]+|\s+(?!\S)|\s+`: white space up to and including its last line break, if
  /// any.
  func spacesWithLineBreaks(_ start: Int) -> Int {
    let end = run(start, .space, limit: text.count)
    if let lineBreak = (start..<end).last(where: isLineBreak) { return lineBreak + 1 }
    return spaces(start, limit: text.count)
  }

  func isLineBreak(_ position: Int) -> Bool {
    text[position] == "\n" || text[position] == "\r"
  }
}
