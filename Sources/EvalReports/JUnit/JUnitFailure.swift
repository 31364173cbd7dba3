import EvalFindings

/// Writes JUnit files that stand for missing results.
public enum JUnitFailure {
  private static let ofCommand = "command"
  private static let ofRun = "unfinished"

  /// Returns a file about a command that failed before it had results, with a single test case,
  /// which has an error.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - message: The reason.
  public static func render(command: String, message: String) -> String {
    file("[\(command)]", message: message, type: ofCommand)
  }

  /// Returns a file about a run that has not ended, which the run replaces at its end.
  ///
  /// - Parameter run: The number of the run.
  public static func render(unfinished run: Int) -> String {
    file(
      "[run \(run)]",
      message: "run \(run) did not finish; if it is still in progress, it replaces this file at "
        + "its end, and otherwise `assay report \(run)` reports on the attempts that it made",
      type: ofRun)
  }

  /// Returns whether a file is about a command that failed before it had results.
  public static func isOfCommand(_ text: String) -> Bool {
    // Reports escape quotation marks in texts, so only markup can contain these attributes.
    text.contains("\" classname=\"evals\" ") && text.contains("\" type=\"\(ofCommand)\"")
  }

  private static func file(_ name: String, message: String, type: String) -> String {
    let text = JUnitReport.clipped(VisibleText.line(message), limit: 2000)
    let problem = JUnitCase.Problem(type: type, message: text, text: text)
    let test = JUnitCase(name: name, className: "evals", result: .error(problem))
    return JUnitReport.text([JUnitSuite(name: "evals", cases: [test])], .common)
  }
}
