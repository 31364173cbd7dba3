/// Finds the valid name that a misspelled name probably stands for.
package enum NearestName {
  /// Returns the nearest name by edit distance, or nil if none is close.
  ///
  /// - Parameters:
  ///   - name: The misspelled name.
  ///   - names: The valid names; if several are equally close, the first wins.
  /// - Returns: The name that takes the fewest edits, ignoring case, or nil if every name takes too
  ///   many. The maximum number of edits is a third of the misspelled name's length, rounded to the
  ///   nearest integer, but at least one.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let limit = max(1, (min(name.count, 64) + 1) / 3)
    var best: (name: String, distance: Int)?
    for candidate in names {
      let distance = distance(name.lowercased(), candidate.lowercased())
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns a list of the valid names, preceded by "did you mean `x`? " if one of them is close.
  ///
  /// - Parameters:
  ///   - name: The misspelled name.
  ///   - meaning: The name that is known to be meant, or nil to find a close one.
  ///   - names: The valid names.
  ///   - what: The words before the list.
  package static func hint(
    for name: String, meaning: String? = nil, among names: [String], what: String
  ) -> String {
    let list =
      names.isEmpty
      ? "there are no \(what)" : "\(what): " + names.map { "`\($0)`" }.joined(separator: ", ")
    guard let nearest = meaning ?? nearest(to: name, among: names) else { return list }
    let note = Lookalike.note(on: nearest, insteadOf: name) ?? ""
    return "did you mean `\(nearest)`\(note)? \(list)"
  }

  /// Returns how many insertions, deletions, substitutions and swaps of neighboring characters turn
  /// one name into the other.
  ///
  /// This is the restricted Damerau–Levenshtein distance. Only the first 64 characters count.
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(
          previous[column] + 1, current[column - 1] + 1,
          previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          cost = min(cost, beforePrevious[column - 2] + 1)
        }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
