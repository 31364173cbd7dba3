import EvalRecords

extension MaskFinding {
  /// The finding as a sentence, without the name of the slice.
  var words: String {
    "Before the mask, the model wanted to write “\(VisibleText.line(wanted))” at "
      + "\(VisibleText.line(path)): in \(removedCases) of \(cases.counted("test case")), the mask "
      + "removed more than half of the probability."
  }

  /// The finding as a line under the results of several slices.
  var line: String { "\(VisibleText.line(sliceName)): \(words)" }
}
