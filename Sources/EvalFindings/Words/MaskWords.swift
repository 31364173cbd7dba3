import EvalRecords

extension MaskFinding {
  /// The finding as a sentence, without the name of the slice.
  package var words: String {
    let place = isPreface ? "Before the answer" : "At \(VisibleText.line(path))"
    // Only the beginning of the text is known, and it may be a part of a word.
    let part = wantedCases == removedCases ? "" : " (in \(wantedCases) of them)"
    return "\(place), the mask removed more than half of the model’s probability in "
      + "\(removedCases) of \(cases.counted("test case")): the model would rather have written "
      + "something that begins with “\(VisibleText.line(wanted))”\(part)."
  }

  /// The finding as a line under the results of several slices.
  package var line: String { "\(VisibleText.line(sliceName)): \(words)" }
}
