/// Writes the JUnit file of a command that failed before it had results.
public enum JUnitFailure {
  /// Returns a file with a single test case, which has an error.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - message: The reason.
  public static func render(command: String, message: String) -> String {
    let text = JUnitReport.clipped(VisibleText.line(message), limit: 2000)
    var writer = XMLWriter()
    let counts: [(name: StaticString, value: String)] = [
      ("name", "evals"), ("tests", "1"), ("failures", "0"), ("errors", "1"), ("time", "0.000"),
    ]
    writer.element("testsuites", counts) { writer in
      writer.element("testsuite", counts + [("skipped", "0")]) { writer in
        writer.element(
          "testcase", [("name", "[\(command)]"), ("classname", "evals"), ("time", "0.000")]
        ) { writer in
          writer.element("error", [("message", text), ("type", "command")], text: text)
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
