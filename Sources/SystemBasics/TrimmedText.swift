extension StringProtocol {
  /// The text without white space and line breaks at its ends.
  package var trimmed: String { trimmed { $0.isWhitespace } }

  /// Returns the text without some characters at its ends.
  ///
  /// - Parameter isTrimmed: Whether to remove a character.
  package func trimmed(_ isTrimmed: (Character) -> Bool) -> String {
    var rest = self[...]
    while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return String(rest)
  }
}
