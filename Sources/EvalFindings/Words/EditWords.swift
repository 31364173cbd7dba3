import EvalRecords

extension GuideText.Edit {
  /// A short description of the change: `dropped “Never return fewer than 3”`.
  package var summary: String { EditWords.summary(from: before, to: after) }
}

/// Describes an edit of a text in a few words.
enum EditWords {
  /// The maximum length, in characters, of a text that is shown in full.
  private static let maximumWhole = 60

  /// Returns a description of the change: `dropped “Never return fewer than 3”`.
  ///
  /// The descriptions are predicates, so `which` or a name may come before them.
  ///
  /// A side that lacks the text is `nil`.
  package static func summary(from before: String?, to after: String?) -> String {
    guard let before else { return "added “\(short(after ?? ""))”" }
    guard let after else { return "removed “\(short(before))”" }
    if max(before.count, after.count) <= maximumWhole {
      return "changed “\(short(before))” to “\(short(after))”"
    }
    var (removed, added): ([String], [String]) = ([], [])
    for part in WordDifference(from: before, to: after).parts {
      switch part {
      case .same: continue
      case .removed(let text): removed.append(text)
      case .added(let text): added.append(text)
      }
    }
    let gone = removed.map(short).joined(separator: "” and “")
    let come = added.map(short).joined(separator: "” and “")
    switch (removed.isEmpty, added.isEmpty) {
    case (false, true): return "dropped “\(gone)”"
    case (true, false): return "added “\(come)”"
    default: return "replaced “\(gone)” with “\(come)”"
    }
  }

  private static func short(_ text: String) -> String {
    var line = VisibleText.line(text.trimmingSpaces)
    // Drop the full stop, because a description can be in the middle of a sentence.
    if line.hasSuffix(".") { line.removeLast() }
    return ClippedText(line, limit: 90).marked
  }
}

extension String {
  /// The text without leading and trailing white space.
  fileprivate var trimmingSpaces: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
