@testable import EvalFindings
@testable import EvalReports

extension JUnitReport {
  /// The report as a single file, regardless of its size.
  static func render(_ document: ReportDocument, dialect: Dialect = .common) -> String {
    files(document, dialect: dialect, caseLimit: .max, byteLimit: .max).first?.text ?? ""
  }
}
