/// Splits the source of one declaration into tokens.
///
/// The compiler has already parsed the declaration. So the scanner only needs to understand
/// constructs that can hide a bracket or a comma: comments, strings with interpolations, and
/// regular expressions.
struct Scanner {
  private let source: String
  private let bytes: [UInt8]
  private var tokens: [Token] = []
  private var position = 0
  private var startsLine = true
  private var followsSpace = true

  private init(_ source: String) {
    self.source = source
    bytes = Array(source.utf8)
  }

  static func tokens(of source: String) -> [Token] {
    var scanner = Scanner(source)
    scanner.scan()
    return scanner.tokens
  }

  private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func scan() {
    while position < bytes.count {
      let first = byte(position)
      let second = byte(position + 1)
      switch first {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        startsLine = true
        skip(to: position + 1)
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C: skip(to: position + 1)
      case UInt8(ascii: "/") where second == UInt8(ascii: "/"): skip(to: endOfLine(position))
      case UInt8(ascii: "/") where second == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "\""): push(.string, to: endOfString(position))
      case UInt8(ascii: "#") where firstAfterHashes(position) == UInt8(ascii: "\""):
        push(.string, to: endOfString(position))
      case UInt8(ascii: "#") where firstAfterHashes(position) == UInt8(ascii: "/"):
        push(.regex, to: endOfExtendedRegex(position))
      case UInt8(ascii: "/"):
        if canBeginRegex, let end = endOfRegex(position) {
          push(.regex, to: end)
        } else {
          push(.punctuation, to: position + 1)
        }
      case UInt8(ascii: "`"):
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "`") { end += 1 }
        push(.word, to: min(end + 1, bytes.count))
      case UInt8(ascii: "0")...UInt8(ascii: "9"): push(.number, to: endOfNumber(position))
      case _ where Self.isWord(first):
        var end = position
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        push(.word, to: end)
      case UInt8(ascii: "-") where second == UInt8(ascii: ">"): push(.punctuation, to: position + 2)
      case UInt8(ascii: "=") where second == UInt8(ascii: "="): push(.punctuation, to: position + 2)
      default: push(.punctuation, to: position + 1)
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private mutating func push(_ kind: Token.Kind, to end: Int) {
    let utf8 = source.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: position)
    let text = source[start..<utf8.index(start, offsetBy: end - position)]
    tokens.append(
      Token(
        kind: kind, text: text, range: position..<end, startsLine: startsLine,
        followsSpace: followsSpace))
    startsLine = false
    followsSpace = false
    position = end
  }

  private mutating func skip(to end: Int) {
    position = end
    followsSpace = true
  }

  // MARK: Comments and numbers

  private func endOfLine(_ start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  /// Skips a block comment, which may contain other block comments.
  private mutating func skipBlockComment() {
    var depth = 0
    var end = position
    repeat {
      if byte(end) == UInt8(ascii: "/"), byte(end + 1) == UInt8(ascii: "*") {
        depth += 1
        end += 2
      } else if byte(end) == UInt8(ascii: "*"), byte(end + 1) == UInt8(ascii: "/") {
        depth -= 1
        end += 2
      } else {
        if byte(end) == UInt8(ascii: "\n") { startsLine = true }
        end += 1
      }
    } while depth > 0 && end < bytes.count
    skip(to: min(end, bytes.count))
  }

  private func endOfNumber(_ start: Int) -> Int {
    var end = start
    while end < bytes.count {
      let isPoint =
        bytes[end] == UInt8(ascii: ".") && (0x30...0x39).contains(byte(end + 1))
      guard isPoint || Self.isWord(bytes[end]) else { break }
      end += 1
    }
    return end
  }

  // MARK: Strings

  private func hashes(_ start: Int) -> Int {
    var end = start
    while byte(end) == UInt8(ascii: "#") { end += 1 }
    return end - start
  }

  private func firstAfterHashes(_ start: Int) -> UInt8 { byte(start + hashes(start)) }

  /// Returns the end of a string.
  ///
  /// Its interpolations may contain further strings.
  private func endOfString(_ start: Int) -> Int {
    let hashCount = hashes(start)
    var end = start + hashCount
    let quote = UInt8(ascii: "\"")
    let isMultiline = byte(end + 1) == quote && byte(end + 2) == quote
    let quoteCount = isMultiline ? 3 : 1
    end += quoteCount
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: "\\") {
        guard hashes(end + 1) >= hashCount else {
          end += 1
          continue
        }
        end += 1 + hashCount
        end = byte(end) == UInt8(ascii: "(") ? endOfInterpolation(end) : end + 1
      } else if bytes[end] == quote {
        var count = 0
        while count < quoteCount, byte(end + count) == quote { count += 1 }
        if count == quoteCount, hashes(end + count) >= hashCount {
          return min(end + count + hashCount, bytes.count)
        }
        end += count
      } else {
        end += 1
      }
    }
    return bytes.count
  }

  private func endOfInterpolation(_ start: Int) -> Int {
    var depth = 0
    var end = start
    while end < bytes.count {
      let first = bytes[end]
      if first == UInt8(ascii: "\"")
        || (first == UInt8(ascii: "#") && firstAfterHashes(end) == UInt8(ascii: "\""))
      {
        end = endOfString(end)
        continue
      }
      if first == UInt8(ascii: "(") { depth += 1 }
      if first == UInt8(ascii: ")") { depth -= 1 }
      end += 1
      if depth == 0 { break }
    }
    return end
  }

  // MARK: Regular expressions

  private func endOfExtendedRegex(_ start: Int) -> Int {
    let hashCount = hashes(start)
    var end = start + hashCount + 1
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: "/"), hashes(end + 1) >= hashCount {
        return end + 1 + hashCount
      }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  /// Whether a slash at this position can begin a regular expression.
  ///
  /// A slash after an operand or a dot can't.
  private var canBeginRegex: Bool {
    guard let last = tokens.last else { return true }
    return last.kind == .punctuation && !last.closesGroup && last.text != "."
  }

  private func endOfRegex(_ start: Int) -> Int? {
    var end = start + 1
    guard byte(end) != UInt8(ascii: " "), byte(end) != UInt8(ascii: "\t") else { return nil }
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
      if bytes[end] == UInt8(ascii: "/") { return end + 1 }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}
