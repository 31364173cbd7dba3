import StructuredText

/// Finds the keyword that an unknown key was probably meant to be.
package enum KeywordSpelling {
  /// Returns the first known keyword that is similar to an unknown key, or `nil` if no keyword is.
  ///
  /// - Parameter keyword: An unknown key in a schema.
  /// - Returns: A keyword that differs only in case, in one letter (wrong, missing or extra), or in
  ///   two swapped letters. If the key has at least nine letters, two such differences are allowed,
  ///   as in `propertys`.
  package static func meant(by keyword: String) -> String? {
    // A very short or long key, or one that begins with an underscore, is probably not a misspelled
    // keyword.
    guard keyword.utf8.count > 3, keyword.utf8.count < 32, keyword.utf8.first != UInt8(ascii: "_")
    else { return nil }
    let letters = Array(keyword.lowercased())
    let keywords = KeywordTable.rows.map(\.keyword).filter { $0.utf8.count > 3 }
    let near = keywords.first { isNear(letters, Array($0.lowercased())) }
    guard near == nil, letters.count >= 9 else { return near }
    return keywords.first { known in
      abs(known.count - letters.count) <= 2
        && NearestName.distance(keyword.lowercased(), known.lowercased()) <= 2
    }
  }

  /// Returns whether two words differ by at most one edit.
  private static func isNear(_ left: [Character], _ right: [Character]) -> Bool {
    if left == right { return true }
    let start = zip(left, right).prefix { $0 == $1 }.count
    let one = left[start...]
    let other = right[start...]
    switch left.count - right.count {
    case 0:
      if one.dropFirst() == other.dropFirst() { return true }
      return one.count > 1 && Array(one.prefix(2).reversed()) == Array(other.prefix(2))
        && one.dropFirst(2) == other.dropFirst(2)
    case 1: return one.dropFirst().elementsEqual(other)
    case -1: return one.elementsEqual(other.dropFirst())
    default: return false
    }
  }
}
