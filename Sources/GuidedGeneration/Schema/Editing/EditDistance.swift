/// Finds the name that was probably meant.
package enum EditDistance {
  /// The most similar of several names, nil where none is similar.
  ///
  /// Similar is a Levenshtein distance of at most a third of the name's length, letter case aside.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased())
    guard wanted.count <= 200 else { return nil }
    let limit = max(2, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in names where candidate.count <= wanted.count + limit {
      let distance = distance(wanted, Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The least number of letters to insert, remove or replace; two rows of the usual table.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (leftIndex, leftLetter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = leftIndex + 1
      for (rightIndex, rightLetter) in right.enumerated() {
        let replaced = diagonal + (leftLetter == rightLetter ? 0 : 1)
        diagonal = row[rightIndex + 1]
        row[rightIndex + 1] = min(replaced, row[rightIndex] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
