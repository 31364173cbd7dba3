import StructuredText

/// Finds the place in the value at which an answer was cut off.
///
/// `path(in:)` reads the JSON text of the answer, and returns the path to the place where the text
/// ends:
///
/// ```
/// {"cards":[{"question":"a"},{"question":"so   →   $.cards[1].question
/// ```
enum CutPlace {
  private static let maximumDepth = 64

  /// An object or array that is not closed yet.
  private enum Level {
    case object(key: String?)
    case array(index: Int)
  }

  /// The path at which a text ends, or `$` if it ends at the top level or is nested too deeply.
  static func path(in text: String) -> String {
    var levels: [Level] = []
    var string: [UInt8]?
    var isEscaped = false
    var lastString = ""
    for byte in text.utf8 {
      if var bytes = string {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          lastString = String(decoding: bytes, as: UTF8.self)
          string = nil
          continue
        }
        if bytes.count < 200 { bytes.append(byte) }
        string = bytes
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): string = []
      case UInt8(ascii: "{"): levels.append(.object(key: nil))
      case UInt8(ascii: "["): levels.append(.array(index: 0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: ":"):
        if case .object(nil)? = levels.last {
          levels[levels.count - 1] = .object(key: lastString)
        }
      case UInt8(ascii: ","):
        switch levels.last {
        case .object?: levels[levels.count - 1] = .object(key: nil)
        case .array(let index)?: levels[levels.count - 1] = .array(index: index + 1)
        case nil: break
        }
      default: break
      }
      if levels.count > maximumDepth { return "$" }
    }
    return levels.reduce("$") { path, level in
      switch level {
      case .object(let key): key.map { path + JSONPlace.Step.name($0).text } ?? path
      case .array(let index): path + JSONPlace.Step.index(index).text
      }
    }
  }
}
