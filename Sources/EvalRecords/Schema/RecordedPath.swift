/// Builds paths to places inside values, in the form that records use.
package enum RecordedPath {
  /// Returns the path of a property of the value at another path.
  package static func appending(_ name: String, to path: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    return isPlain ? "\(path).\(name)" : "\(path)['\(name)']"
  }

  /// Returns a path with every element index replaced by `[*]`.
  package static func generalized(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "[")) else { return path }
    var result = ""
    var digits = ""
    var isIndex = false
    for character in path {
      switch character {
      case "[":
        result.append(character)
        isIndex = true
      case "]" where isIndex && !digits.isEmpty:
        result += "*]"
        (digits, isIndex) = ("", false)
      case "0"..."9" where isIndex: digits.append(character)
      default:
        result += digits
        result.append(character)
        (digits, isIndex) = ("", false)
      }
    }
    return result + digits
  }
}
