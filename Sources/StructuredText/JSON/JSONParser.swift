/// Parses JSON by recursive descent, from bytes that are already known to be valid UTF-8.
struct JSONParser<Builder: JSONTreeBuilder> {
  let bytes: UnsafeBufferPointer<UInt8>
  let options: JSONReader.Options
  var position = 0
  var scratch: [UInt8] = []
  private var counter: LocationCounter
  /// The key offsets of all objects that are being parsed, with the innermost object's keys last.
  private var keyOffsets: [Int] = []

  /// The number of members at which the parser begins to use a set to find duplicate keys.
  private let indexedFrom = 16

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONReader.Options) {
    self.bytes = bytes
    self.options = options
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF,
      !options.contains(.noByteOrderMark)
    {
      position = 3
    }
    counter = LocationCounter(bytes, first: position)
  }

  /// Parses the value and checks that nothing follows it.
  mutating func document() throws(StructuredTextError) -> Builder.Node {
    try skipSpace()
    guard position < bytes.count else {
      throw failure(at: position, "there is no value", allowed: "a JSON value is expected")
    }
    let node = try value(depth: 0)
    try skipSpace()
    guard position == bytes.count else {
      throw failure(
        at: position, "\(found(at: position)) follows the value",
        allowed: "nothing may follow a JSON value")
    }
    return node
  }

  // MARK: - Values

  private mutating func value(depth: Int) throws(StructuredTextError) -> Builder.Node {
    guard position < bytes.count else {
      throw failure(at: position, "the text ends too early", allowed: "a value is expected")
    }
    let start = position
    let location = Builder.wantsLocations ? counter.location(of: start) : Self.nowhere
    switch bytes[position] {
    case UInt8(ascii: "{"):
      return try object(at: location, depth: depth + 1)
    case UInt8(ascii: "["):
      return try array(at: location, depth: depth + 1)
    case UInt8(ascii: "\""):
      return Builder.scalar(.string(try string()), at: location)
    case UInt8(ascii: "-"), 0x30...0x39:
      return Builder.scalar(.number(try number()), at: location)
    case UInt8(ascii: "t"):
      try literal("true")
      return Builder.scalar(.bool(true), at: location)
    case UInt8(ascii: "f"):
      try literal("false")
      return Builder.scalar(.bool(false), at: location)
    case UInt8(ascii: "n"):
      try literal("null")
      return Builder.scalar(.null, at: location)
    default:
      throw failure(
        at: position, "\(found(at: position)) can't begin a value", allowed: "a value is expected")
    }
  }

  private mutating func array(
    at location: SourceLocation, depth: Int
  ) throws(StructuredTextError) -> Builder.Node {
    try enter(depth)
    var nodes: [Builder.Node] = []
    try skipSpace()
    while !take(UInt8(ascii: "]")) {
      nodes.append(try value(depth: depth))
      try skipSpace()
      if try separator(before: UInt8(ascii: "]")) { break }
    }
    return Builder.sequence(nodes, at: location)
  }

  private mutating func object(
    at location: SourceLocation, depth: Int
  ) throws(StructuredTextError) -> Builder.Node {
    try enter(depth)
    var members: [Builder.Member] = []
    var seen: Set<String> = []
    let firstKey = keyOffsets.count
    defer { keyOffsets.removeLast(keyOffsets.count - firstKey) }
    try skipSpace()
    while !take(UInt8(ascii: "}")) {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw failure(
          at: position, "\(found(at: position)) is not a key",
          allowed: "a key in double quotes or `}` is expected")
      }
      let offset = position
      let keyLocation = Builder.wantsLocations ? counter.location(of: offset) : Self.nowhere
      let key = try string()
      let isKnown =
        members.count < indexedFrom
        ? members.contains { Builder.key(of: $0) == key } : seen.contains(key)
      if isKnown, let first = members.firstIndex(where: { Builder.key(of: $0) == key }) {
        throw duplicate(key, at: offset, first: keyOffsets[firstKey + first])
      }
      keyOffsets.append(offset)
      try skipSpace()
      guard take(UInt8(ascii: ":")) else {
        throw failure(
          at: position, "\(found(at: position)) follows the key",
          allowed: "`:` and a value are expected")
      }
      try skipSpace()
      members.append(Builder.member(key, at: keyLocation, try value(depth: depth)))
      if members.count == indexedFrom { seen = Set(members.map { Builder.key(of: $0) }) }
      if members.count > indexedFrom { seen.insert(key) }
      try skipSpace()
      if try separator(before: UInt8(ascii: "}")) { break }
    }
    return Builder.mapping(members, at: location)
  }

  /// Consumes a comma or the closing bracket, and returns whether it was the closing bracket.
  private mutating func separator(before closing: UInt8) throws(StructuredTextError) -> Bool {
    if take(closing) { return true }
    let name = closing == UInt8(ascii: "]") ? "`]`" : "`}`"
    let comma = position
    guard take(UInt8(ascii: ",")) else {
      throw failure(
        at: position, "\(found(at: position)) follows a value",
        allowed: "`,` or \(name) is expected")
    }
    try skipSpace()
    if position < bytes.count, bytes[position] == closing,
      !options.contains(.commentsAndTrailingCommas)
    {
      throw failure(
        at: comma, "there is a comma before \(name)", allowed: "commas go only between values")
    }
    return false
  }

  private mutating func literal(_ word: StaticString) throws(StructuredTextError) {
    let count = word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: count)
    guard position + count <= bytes.count,
      bytes[position..<position + count].elementsEqual(expected)
    else {
      throw failure(
        at: position, "unknown word",
        allowed: "the words are `true`, `false` and `null`; strings need double quotes")
    }
    position += count
  }

  // MARK: - Bytes

  private mutating func enter(_ depth: Int) throws(StructuredTextError) {
    guard depth <= JSONReader.depthLimit else {
      throw failure(
        at: position, "arrays and objects are nested too deeply",
        allowed: "at most \(JSONReader.depthLimit) levels are allowed")
    }
    position += 1
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() throws(StructuredTextError) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(StructuredTextError) {
    let start = position
    guard options.contains(.commentsAndTrailingCommas) else {
      throw failure(at: start, "`/` can't begin a value", allowed: "JSON has no comments")
    }
    let second = position + 1 < bytes.count ? bytes[position + 1] : 0
    position += 2
    switch second {
    case UInt8(ascii: "/"):
      while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
        position += 1
      }
    case UInt8(ascii: "*"):
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          position += 2
          return
        }
        position += 1
      }
      throw failure(at: start, "the comment is not closed", allowed: "`*/` closes it")
    default:
      throw failure(
        at: start, "`/` can't begin a value", allowed: "comments are `// …` and `/* … */`")
    }
  }

  // MARK: - Errors

  private static var nowhere: SourceLocation { SourceLocation(line: 0, column: 0) }

  mutating func failure(
    at offset: Int, _ problem: String, allowed: String = ""
  ) -> StructuredTextError {
    StructuredTextError(at: counter.location(of: offset), problem, allowed: allowed)
  }

  private mutating func duplicate(
    _ key: String, at offset: Int, first: Int
  ) -> StructuredTextError {
    let earlier = counter.location(of: first)
    return .duplicateKey(key, at: counter.location(of: offset), first: earlier)
  }

  /// Describes the character at an offset for an error message.
  func found(at offset: Int) -> String { StructuredTextError.character(in: bytes, at: offset) }
}
