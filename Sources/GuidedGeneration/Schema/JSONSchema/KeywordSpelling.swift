import StructuredText

/// Finds the keyword that an unknown key was probably meant to be.
package enum KeywordSpelling {
  /// Returns the known keyword that is most similar to an unknown key, or `nil` if none is similar.
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
    let letters = keyword.lowercased()
    let most = letters.count < 9 ? 1 : 2
    var best: (keyword: String, distance: Int)?
    for known in KeywordTable.rows.map(\.keyword)
    where known.utf8.count > 3 && abs(known.count - letters.count) <= most {
      let distance = NearestName.distance(letters, known.lowercased())
      if distance <= most, distance < best?.distance ?? .max { best = (known, distance) }
    }
    return best?.keyword
  }
}
