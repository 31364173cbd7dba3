/// Finds the values at given paths in a JSON text, so that pages can mark them.
///
/// The search expects a text that a JSON reader has accepted, and stops if the text is malformed.
package struct JSONSpans {
  private let bytes: [UInt8]
  private let paths: Set<String>
  private var position = 0
  private var spans: [Range<Int>] = []

  private static let maximumDepth = 64
  private static let maximumSpans = 40

  /// Returns the byte ranges of the values at given paths, in order and without overlap.
  ///
  /// - Parameters:
  ///   - paths: The paths, in which `[*]` means any element.
  ///   - text: A JSON text.
  package static func find(_ paths: Set<String>, in text: String) -> [Range<Int>] {
    guard !paths.isEmpty else { return [] }
    var spans = JSONSpans(bytes: Array(text.utf8), paths: paths)
    _ = spans.value("$", depth: 0)
    var end = 0
    // A value within a marked value is already marked.
    return spans.spans.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
      .filter { span in
        guard span.lowerBound >= end else { return false }
        end = span.upperBound
        return true
      }
  }

  private init(bytes: [UInt8], paths: Set<String>) {
    self.bytes = bytes
    self.paths = paths
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  /// Reads a value, or returns `false` if the text is malformed or nested too deeply.
  private mutating func value(_ path: String, depth: Int) -> Bool {
    skipSpace()
    guard position < bytes.count, depth < Self.maximumDepth else { return false }
    let start = position
    let isRead: Bool
    switch bytes[position] {
    case UInt8(ascii: "{"): isRead = members(path, depth: depth)
    case UInt8(ascii: "["): isRead = elements(path, depth: depth)
    case UInt8(ascii: "\""): isRead = string() != nil
    default:
      while position < bytes.count, !Self.endsScalar(bytes[position]) { position += 1 }
      isRead = position > start
    }
    if isRead, spans.count < Self.maximumSpans,
      paths.contains(path) || paths.contains(JSONPlace.pattern(path))
    {
      spans.append(start..<position)
    }
    return isRead
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  private mutating func members(_ path: String, depth: Int) -> Bool {
    position += 1
    skipSpace()
    if take("}") { return true }
    while true {
      skipSpace()
      guard let name = string() else { return false }
      skipSpace()
      guard take(":"), value(path + JSONPlace.Step.name(name).text, depth: depth + 1) else {
        return false
      }
      skipSpace()
      if take("}") { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func elements(_ path: String, depth: Int) -> Bool {
    position += 1
    skipSpace()
    if take("]") { return true }
    var index = 0
    while true {
      guard value(path + JSONPlace.Step.index(index).text, depth: depth + 1) else { return false }
      index += 1
      skipSpace()
      if take("]") { return true }
      guard take(",") else { return false }
    }
  }

  /// Reads a string and returns its value.
  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else { return nil }
    position += 1
    return JSONEscapes.unescaped(Array(bytes[start..<position - 1]))
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
