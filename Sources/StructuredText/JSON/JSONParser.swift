/// Builds a value from the events of a JSON text whose bytes are already known to be valid UTF-8.
struct JSONParser<Builder: JSONTreeBuilder> {
  private var scanner: JSONScanner
  private let isLenient: Bool
  private var counter: LocationCounter
  /// The key offsets of all objects that are being parsed, with the innermost object's keys last.
  private var keyOffsets: [Int] = []

  /// The number of members at which the parser begins to use a set to find duplicate keys.
  private let indexedFrom = 16

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONReader.Options) {
    let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    let first = hasMark && !options.contains(.noByteOrderMark) ? 3 : 0
    isLenient = options.contains(.commentsAndTrailingCommas)
    scanner = JSONScanner(bytes, from: first, isLenient: isLenient)
    counter = LocationCounter(bytes, first: first)
  }

  /// Parses the value and checks that nothing follows it.
  mutating func document() throws(StructuredTextError) -> Builder.Node {
    let node = try value(try next())
    _ = try next()
    return node
  }

  private mutating func next() throws(StructuredTextError) -> JSONScanner.Event {
    do throws(JSONScanner.Problem) {
      return try scanner.next()
    } catch {
      throw failure(error)
    }
  }

  private mutating func value(
    _ event: JSONScanner.Event
  ) throws(StructuredTextError) -> Builder.Node {
    let location = Builder.wantsLocations ? counter.location(of: scanner.start) : Self.nowhere
    switch event {
    case .beginObject: return Builder.mapping(try members(), at: location)
    case .beginArray:
      var nodes: [Builder.Node] = []
      while true {
        let event = try next()
        if event == .endArray { return Builder.sequence(nodes, at: location) }
        nodes.append(try value(event))
      }
    case .string: return Builder.scalar(.string(scanner.text), at: location)
    case .number: return Builder.scalar(.number(scanner.number), at: location)
    case .true: return Builder.scalar(.bool(true), at: location)
    case .false: return Builder.scalar(.bool(false), at: location)
    case .null: return Builder.scalar(.null, at: location)
    case .key, .endObject, .endArray, .end: preconditionFailure("no value begins so")
    }
  }

  private mutating func members() throws(StructuredTextError) -> [Builder.Member] {
    var members: [Builder.Member] = []
    var seen: Set<String> = []
    let firstKey = keyOffsets.count
    defer { keyOffsets.removeLast(keyOffsets.count - firstKey) }
    while try next() == .key {
      let offset = scanner.start
      let location = Builder.wantsLocations ? counter.location(of: offset) : Self.nowhere
      let key = scanner.text
      let isKnown =
        members.count < indexedFrom
        ? members.contains { Builder.key(of: $0) == key } : seen.contains(key)
      if isKnown, let first = members.firstIndex(where: { Builder.key(of: $0) == key }) {
        let earlier = counter.location(of: keyOffsets[firstKey + first])
        throw .duplicateKey(key, at: counter.location(of: offset), first: earlier)
      }
      keyOffsets.append(offset)
      members.append(Builder.member(key, at: location, try value(try next())))
      if members.count == indexedFrom { seen = Set(members.map { Builder.key(of: $0) }) }
      if members.count > indexedFrom { seen.insert(key) }
    }
    return members
  }

  private static var nowhere: SourceLocation { SourceLocation(line: 0, column: 0) }

  // MARK: - Errors

  private mutating func failure(_ problem: JSONScanner.Problem) -> StructuredTextError {
    let bytes = scanner.bytes
    let found = StructuredTextError.character(in: bytes, at: problem.offset)
    func error(_ offset: Int, _ text: String, _ allowed: String = "") -> StructuredTextError {
      StructuredTextError(at: counter.location(of: offset), text, allowed: allowed)
    }
    let (start, offset) = (problem.start, problem.offset)
    if problem.isOfStructure, !isLenient, !problem.isAtEnd, bytes[offset] == UInt8(ascii: "/") {
      return error(offset, "`/` can't begin a value", "JSON has no comments")
    }
    switch problem.reason {
    case .noValue: return error(offset, "there is no value", "a JSON value is expected")
    case .missingValue: return error(offset, "the text ends too early", "a value is expected")
    case .notValue: return error(offset, "\(found) can't begin a value", "a value is expected")
    case .notKey:
      return error(offset, "\(found) is not a key", "a key in double quotes or `}` is expected")
    case .noColon: return error(offset, "\(found) follows the key", "`:` and a value are expected")
    case .noSeparator(let inObject):
      return error(
        offset, "\(found) follows a value", "`,` or \(Self.bracket(inObject)) is expected")
    case .trailingComma(let inObject):
      return error(
        start, "there is a comma before \(Self.bracket(inObject))", "commas go only between values")
    case .trailingText:
      return error(offset, "\(found) follows the value", "nothing may follow a JSON value")
    case .unknownWord:
      return error(
        start, "unknown word",
        "the words are `true`, `false` and `null`; strings need double quotes")
    case .tooDeep:
      return error(
        offset, "arrays and objects are nested too deeply",
        "at most \(JSONReader.depthLimit) levels are allowed")
    case .noDigit(let part):
      return error(
        offset, "\(found) is not allowed in a number", "a digit is expected\(part.words)")
    case .leadingZero:
      return error(start, "the number begins with 0", "only 0 itself and 0.… begin with 0")
    case .controlCharacter:
      return error(
        offset, "\(found) is not allowed in a string",
        "write control characters as escapes, such as `\\n` or `\\u0009`")
    case .unclosedString: return error(start, "the string is not closed", "`\"` closes it")
    case .unfinishedEscape: return error(start, "the text ends within an escape")
    case .unknownEscape:
      return error(
        start, "unknown escape",
        #"escapes are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#)
    case .incompleteUnicodeEscape:
      return error(offset, "this escape is incomplete", "\\u takes four hexadecimal digits")
    case .halfSurrogate:
      return error(
        start, "this is only half of a surrogate pair",
        "write a character above U+FFFF as two \\u escapes, high half first")
    case .notComment:
      return error(start, "`/` can't begin a value", "comments are `// …` and `/* … */`")
    case .unclosedComment: return error(start, "the comment is not closed", "`*/` closes it")
    }
  }

  private static func bracket(_ inObject: Bool) -> String { inObject ? "`}`" : "`]`" }
}

extension JSONScanner.Problem {
  /// Whether something else than a value, a key, a colon, a comma or a bracket is in its place.
  fileprivate var isOfStructure: Bool {
    switch reason {
    case .notValue, .notKey, .noColon, .noSeparator, .trailingText: true
    default: false
    }
  }
}

extension JSONScanner.Problem.NumberPart {
  fileprivate var words: String {
    switch self {
    case .whole: ""
    case .fraction: " after the decimal point"
    case .exponent: " in the exponent"
    }
  }
}
