import EvalFindings
import EvalRecords
import StructuredText

/// Writes annotations for a job on GitHub: the run's conclusion if the run didn't pass, and then
/// one for each of the largest groups of failures that are new or have grown since the reference,
/// without those that the previous night had as well.
///
/// Each annotation points to the file and line that define the group's first test case. The
/// annotation is an error if the suite missed its gate or got worse, and the command doesn't end
/// with exit status 0. Otherwise, it is a warning.
///
/// GitHub shows at most ten warnings and ten errors for each step. So there are at most eight
/// annotations; `summary.md` covers the other groups.
public enum GitHubAnnotations {
  /// The maximum number of annotations.
  public static let limit = 8
  /// The maximum size of a message in bytes.
  private static let messageLimit = 900

  /// Returns GitHub's workflow commands for the annotations, one per line.
  ///
  /// - Parameter document: The document to report.
  public static func render(_ document: ReportDocument) -> String {
    let first = conclusion(document)
    let groups = document.summary.clusters.filter { isNews($0, document) }
      .prefix(limit - first.count).map { line($0, document) }
    return (first + groups).map { $0 + "\n" }.joined()
  }

  /// Whether a group of failures is worth an annotation: it isn't on the baseline's side of a
  /// comparison of variants, and has more failures than the reference.
  ///
  /// The conclusion says what is known from earlier nights.
  private static func isNews(_ cluster: FailureCluster, _ document: ReportDocument) -> Bool {
    let references = document.summary.slices.compactMap { slice in
      document.counterpart(of: slice.key).flatMap { $0.key == slice.key ? nil : $0.key }
    }
    guard !references.contains(cluster.slice), !document.isKnown(cluster) else { return false }
    return document.countBefore(cluster).map { $0.compared > $0.before } ?? true
  }

  /// An annotation with the conclusion, or an empty array if the run passed.
  private static func conclusion(_ document: ReportDocument) -> [String] {
    let headline = document.headline
    let kind =
      !document.isSuccess
      ? "error" : headline.state == .acknowledged ? "notice" : headline.isOpen ? "warning" : nil
    guard let kind else { return [] }
    // The line of the edited guide is the one that reviewers look at.
    let place = document.placeOfEdit.map { "file=\(property($0.file)),line=\($0.line)," } ?? ""
    let title = property("\(headline.glyph) \(headline.word)")
    return ["::\(kind) \(place)title=\(title)::\(escaped(headline.sentence, limit: messageLimit))"]
  }

  private static func line(_ cluster: FailureCluster, _ document: ReportDocument) -> String {
    let slice = document.summary.slice(cluster.slice)
    let made = slice?.tally.attempts ?? cluster.attempts.count
    let first = cluster.attempts.first.map { document.summary.attempts[$0] }
    var title = cluster.sliceName
    if let first { title = "\(cluster.sliceName)/\(first.key.caseID)" }
    title += " (\(cluster.attempts.count) of \(made.counted("attempt")))"
    var message = cluster.title
    if let first { message += ". See: " + document.showCommand(for: first) }
    var properties: [(String, String)] = []
    let place = document.place(ofSuite: cluster.slice.suite, caseID: first?.key.caseID)
    if let place {
      properties.append(("file", place.file))
      if let line = place.line { properties.append(("line", "\(line)")) }
    }
    properties.append(("title", title))
    let words = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
    // A failure in a suite that passed is worth knowing, but is not an error.
    let finding = document.sliceFindings[cluster.slice]
    let isError = slice.map { document.failsRun($0, finding) } ?? false
    return "::\(isError ? "error" : "warning") \(words)::\(escaped(message, limit: messageLimit))"
  }

  /// Returns the beginning of a text as one line, escaped so that it contains no workflow command.
  static func escaped(_ text: String, limit: Int) -> String {
    ClippedText.line(text, limit: limit)
      .replacingScalars("%", with: "%25").replacingScalars("\r", with: "%0D")
      .replacingScalars("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    escaped(text, limit: 200).replacingScalars(":", with: "%3A")
      .replacingScalars(",", with: "%2C")
  }
}

/// Defuses text that a CI system would read as a command.
///
/// GitHub obeys `::name` at the beginning of a line, even after white space, and `##[name]`
/// anywhere; Azure obeys `##vso[`. Model output must not set variables or hide errors.
package enum CommandFreeText {
  /// A place in a line.
  private enum Place {
    /// At the beginning of the line, or after white space at the beginning.
    case start
    /// After a colon at the beginning of the line.
    case colon
    case inside
  }

  /// Returns the text with a space inside every command, so that no CI system obeys the command.
  package static func text(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "#") })
    else { return text }
    var result = String.UnicodeScalarView()
    var place = Place.start
    // CI systems end a line at a carriage return or at a line feed. The two together are a single
    // `Character` in Swift, so the loop looks at scalars.
    for scalar in text.unicodeScalars {
      if place == .colon, scalar == ":" { result.append(" ") }
      switch scalar {
      case "\n", "\r": place = .start
      case ":" where place == .start: place = .colon
      case _ where place == .start && scalar.properties.isWhitespace: break
      default: place = .inside
      }
      result.append(scalar)
    }
    return String(result).replacingScalars("##[", with: "# #[")
      .replacingScalars("##vso[", with: "# #vso[")
  }
}
