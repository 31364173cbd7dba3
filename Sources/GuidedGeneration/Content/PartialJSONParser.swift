import StructuredText

/// Builds content from JSON text (RFC 8259) that may end anywhere.
///
/// If the text ends inside a value, the parser keeps the part that has arrived, and marks the value
/// and everything around it as incomplete. It drops a value of which too little has arrived, such
/// as `-` or `tr`.
struct PartialJSONParser {
  private var scanner: JSONScanner

  /// Parses a text.
  static func parse(_ text: String) throws(JSONTextProblem) -> GeneratedContent {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { (bytes) throws(JSONTextProblem) in
      var parser = PartialJSONParser(scanner: JSONScanner(bytes))
      let event = try parser.next()
      guard let content = try parser.value(event) else {
        return GeneratedContent(storage: .null, isComplete: false)
      }
      if event != nil { _ = try parser.next() }
      return content
    }
  }

  /// Returns the next event, or `nil` at the end of a text that ends too early.
  private mutating func next() throws(JSONTextProblem) -> JSONScanner.Event? {
    do throws(JSONScanner.Problem) {
      return try scanner.next()
    } catch {
      if error.isAtEnd { return nil }
      throw problem(error)
    }
  }

  /// Parses the value that begins with an event, or returns `nil` if the text ends before it is
  /// clear which value begins.
  private mutating func value(
    _ event: JSONScanner.Event?
  ) throws(JSONTextProblem) -> GeneratedContent? {
    switch event ?? scanner.openToken {
    case .beginObject: return try structure()
    case .beginArray: return try array()
    case .string:
      return GeneratedContent(storage: .string(scanner.text), isComplete: event != nil)
    case .number: return try number(isCut: event == nil)
    case .true: return GeneratedContent(storage: .bool(true))
    case .false: return GeneratedContent(storage: .bool(false))
    case .null: return GeneratedContent(storage: .null)
    case .key, .endObject, .endArray, .end, nil: return nil
    }
  }

  private mutating func structure() throws(JSONTextProblem) -> GeneratedContent {
    var properties: [String: GeneratedContent] = [:]
    var keys: [String] = []
    var event = try next()
    while event == .key {
      let (key, offset) = (scanner.text, scanner.start)
      if properties[key] != nil {
        throw JSONTextProblem(reason: .duplicateKey(key), offset: offset)
      }
      guard let value = try value(try next()) else {
        event = nil
        break
      }
      properties[key] = value
      keys.append(key)
      event = try next()
    }
    return GeneratedContent(
      storage: .structure(properties: properties, orderedKeys: keys), isComplete: event != nil)
  }

  private mutating func array() throws(JSONTextProblem) -> GeneratedContent {
    var elements: [GeneratedContent] = []
    var event = try next()
    while event != .endArray, let element = try value(event) {
      elements.append(element)
      event = try next()
    }
    return GeneratedContent(storage: .array(elements), isComplete: event != nil)
  }

  /// Parses a number.
  ///
  /// A number that reaches the end of the text is incomplete if it is inside another value, because
  /// more digits may follow. At the top level, such a number is complete unless digits are missing,
  /// as in `1.` or `1e`.
  private func number(isCut: Bool) throws(JSONTextProblem) -> GeneratedContent {
    let number = scanner.number
    guard number.double.isFinite else {
      throw JSONTextProblem(reason: .numberTooLarge, offset: scanner.start)
    }
    let isOpen = isCut || scanner.position == scanner.bytes.count && scanner.depth > 0
    return GeneratedContent(storage: .number(number), isComplete: !isOpen)
  }

  // MARK: Problems

  private func problem(_ problem: JSONScanner.Problem) -> JSONTextProblem {
    let (start, offset) = (problem.start, problem.offset)
    func unexpected(_ expected: String, at place: Int? = nil) -> JSONTextProblem {
      JSONTextProblem(
        reason: .unexpected(character(at: offset), expected: expected), offset: place ?? offset)
    }
    switch problem.reason {
    case .noValue, .missingValue, .notValue, .trailingComma(inObject: false), .notComment,
      .unclosedComment:
      return unexpected("a value")
    case .notKey, .trailingComma(inObject: true): return unexpected("a key")
    case .noColon: return unexpected("`:`")
    case .noSeparator(let inObject): return unexpected(inObject ? "`,` or `}`" : "`,` or `]`")
    case .unknownWord:
      let words = [UInt8(ascii: "t"): "true", UInt8(ascii: "f"): "false"]
      return unexpected(words[scanner.bytes[start]] ?? "null", at: start)
    case .trailingText: return JSONTextProblem(reason: .trailingText, offset: offset)
    case .tooDeep:
      return JSONTextProblem(reason: .tooDeep(limit: JSONReader.depthLimit), offset: offset)
    case .noDigit, .leadingZero: return JSONTextProblem(reason: .invalidNumber, offset: start)
    case .controlCharacter, .unclosedString:
      return JSONTextProblem(reason: .controlCharacter, offset: offset)
    case .unfinishedEscape, .unknownEscape, .incompleteUnicodeEscape:
      return JSONTextProblem(reason: .invalidEscape, offset: start)
    case .halfSurrogate: return JSONTextProblem(reason: .loneSurrogate, offset: start)
    }
  }

  private func character(at position: Int) -> String {
    let rest = scanner.bytes[position..<min(position + 4, scanner.bytes.count)]
    return String(decoding: rest, as: UTF8.self).first.map { "`\($0)`" } ?? "the end"
  }
}
