import EvalFindings
import EvalRecords

/// Writes JUnit XML in which all known consumers count the same results.
///
/// A file has two levels: `testsuites` contains one `testsuite` for each suite × variant × backend.
/// Each test case is one `testcase` that includes its repeats, because consumers merge test cases
/// with the same name. The file is valid under the schema of Jenkins' xUnit plug-in. Each
/// `testsuite` on its own is valid under Surefire's schema.
///
/// The file follows the run's conclusion: it has failures or errors if and only if the command ends
/// with another exit status than 0. In a suite that missed its gate or got worse, a test case fails
/// if any of its repeats did not pass, and the entry `[gate]` or `[comparison]` fails. If nothing
/// else fails, for example because the run was interrupted, the entry `[run]` does.
public enum JUnitReport {
  /// The consumer to write for.
  public enum Dialect: String, Sendable, Hashable, CaseIterable {
    /// The form for all consumers, which is valid under the schemas of Jenkins and Surefire.
    case common
    /// The common form with an attribute `file` on each test case: GitLab and CircleCI link to the
    /// file, but the schemas of Jenkins and Surefire forbid the attribute.
    case gitlab
    /// The form of Ant's schema, which requires more attributes and forbids others.
    case ant
  }

  /// The maximum size of a text node in bytes: parsers refuse very long texts, and people don't
  /// read them.
  static let textLimit = 12_000
  /// The maximum number of repeats described in one test case.
  static let repeatLimit = 5
  /// The maximum number of test cases in one file: Buildkite refuses more than 5,000 results.
  public static let caseLimit = 5000
  /// The approximate maximum size of one file in bytes: GitLab refuses 30 MB.
  public static let byteLimit = 20_000_000

  /// Returns the suites of a document, one of which fails if the command doesn't end with exit
  /// status 0.
  private static func suites(of document: ReportDocument) -> [JUnitSuite] {
    var suites = document.summary.slices.map { JUnitSuite(slice: $0, document: document) }
    let isRed = suites.contains { $0.failures + $0.errors > 0 }
    if !document.isSuccess, !isRed, !suites.isEmpty {
      suites[0].add(entry: "run", document.headline.text, fails: true)
    }
    return suites
  }

  /// Renders a document as files that are within the limits of all consumers.
  ///
  /// A lab has none, because the failures of its damaged variants are no failures of the suite.
  ///
  /// - Parameters:
  ///   - document: The document to report.
  ///   - dialect: The form to write.
  ///   - caseLimit: The maximum number of test cases in a file.
  ///   - byteLimit: The approximate maximum size of a file in bytes.
  /// - Returns: `junit.xml` and, if one file isn't enough, `junit-2.xml` and so on. If a suite is
  ///   split between files, it has the same name in each file.
  public static func files(
    _ document: ReportDocument, dialect: Dialect = .common, caseLimit: Int = caseLimit,
    byteLimit: Int = byteLimit
  ) -> [(name: String, text: String)] {
    guard document.lab == nil else { return [] }
    var files: [[JUnitSuite]] = [[]]
    var (cases, bytes) = (0, 0)
    for suite in suites(of: document) {
      var part: [JUnitCase] = []
      func close() {
        if !part.isEmpty || suite.cases.isEmpty { files[files.count - 1].append(suite.part(part)) }
        part = []
      }
      for testCase in suite.cases {
        let cost = testCase.cost
        if cases > 0, cases + 1 > caseLimit || bytes + cost > byteLimit {
          close()
          files.append([])
          (cases, bytes) = (0, 0)
        }
        part.append(testCase)
        cases += 1
        bytes += cost
      }
      close()
    }
    return files.enumerated().map { number, suites in
      (number == 0 ? "junit.xml" : "junit-\(number + 1).xml", text(suites, dialect))
    }
  }

  /// Returns the text of a file.
  static func text(_ suites: [JUnitSuite], _ dialect: Dialect) -> String {
    var writer = XMLWriter()
    var totals: [(name: StaticString, value: String)] = []
    if dialect != .ant {
      let time = seconds(suites.reduce(0) { $0 + $1.time })
      totals = [("name", "evals")] + JUnitSuite.counts(suites) + [("time", time)]
    }
    writer.element("testsuites", totals) { writer in
      for (number, suite) in suites.enumerated() {
        suite.write(dialect, number: number, to: &writer)
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A time in seconds with exactly three decimals, as Jenkins' schema requires.
  static func seconds(_ value: Double) -> String {
    value >= 0 ? NumberText.plain(value, 3) : "0.000"
  }

  /// Cuts a text at a limit, and appends a note about its full length if anything was cut.
  static func clipped(_ text: String, limit: Int = textLimit) -> String {
    let clipped = ClippedText(text, limit: limit)
    return clipped.fullLength == nil ? clipped.text : "\(clipped.text)\n[\(clipped.note)]"
  }
}
