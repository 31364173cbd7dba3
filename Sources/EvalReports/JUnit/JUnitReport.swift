import EvalRecords

/// JUnit XML in the shape that every consumer we measured counts alike.
///
/// Two levels, `testsuites` and `testsuite`, one suite for each suite × variant × backend; one
/// `testcase` for each case, its repeats inside it, because consumers fold test cases of one name
/// into one. Valid against the schema of Jenkins' xUnit plug-in, and each suite, taken as a root,
/// against Surefire's.
///
/// A case fails if any of its repeats did not pass. That is stricter than the suite's gate, which
/// decides the exit status; the properties of the suite say what the gate says.
public enum JUnitReport {
  /// The most bytes of one text node: parsers refuse very long ones, and people do not read them.
  static let textLimit = 12_000
  /// Repeats told in full in one case.
  static let repeatLimit = 5

  /// Renders a document.
  ///
  /// - Parameter document: What to report.
  /// - Returns: The text of the XML file.
  public static func render(_ document: ReportDocument) -> String {
    let suites = document.summary.slices.map { JUnitSuite(slice: $0, document: document) }
    var writer = XMLWriter()
    writer.element(
      "testsuites",
      [
        ("name", "evals"), ("tests", "\(suites.reduce(0) { $0 + $1.cases.count })"),
        ("failures", "\(suites.reduce(0) { $0 + $1.failures })"),
        ("errors", "\(suites.reduce(0) { $0 + $1.errors })"),
        ("time", seconds(suites.reduce(0) { $0 + $1.time })),
      ]
    ) { writer in
      for suite in suites { suite.write(to: &writer) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A time in seconds with exactly three decimals, which is what Jenkins' schema asks for.
  static func seconds(_ value: Double) -> String {
    value >= 0 ? NumberText.plain(value, 3) : "0.000"
  }

  /// A text cut below the limit, with its length where it was cut.
  static func clipped(_ text: String, limit: Int = textLimit) -> String {
    let clipped = ClippedText(text, limit: limit)
    return clipped.fullLength == nil ? clipped.text : "\(clipped.text)\n[\(clipped.note)]"
  }
}
