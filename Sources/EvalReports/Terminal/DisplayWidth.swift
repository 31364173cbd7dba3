import EvalFindings

extension StringProtocol {
  /// The number of columns that the text takes on a terminal: two for a wide character, and none
  /// for a combining mark.
  ///
  /// The widths approximate the East Asian Width property (UAX 11): they treat whole blocks of
  /// characters as wide.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// Returns the text cut to a number of columns, ending in `…` if anything was cut.
  package func cut(toWidth width: Int) -> String {
    guard displayWidth > width else { return String(self) }
    var result = ""
    var used = 0
    for character in self {
      let next = character.displayWidth
      guard used + next < width else { break }
      result.append(character)
      used += next
    }
    return result + (width > 0 ? "…" : "")
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.value {
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
