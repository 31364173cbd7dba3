import EvalRecords
import StructuredText
import SystemBasics

/// A run of one suite that is kept in git as a reference: `reports/baselines/SUITE.jsonl`.
///
/// The format is JSON Lines, so that changes are readable in a diff. The first line has the record
/// of the run and the reason for accepting it. Each of the following lines has one attempt, without
/// its prompt and trace. The last line has a checksum of the lines before it:
///
/// ```
/// {"acceptedAt":"…","assay":"baseline","reason":"…","replaced":{…},"run":{…},"version":2}
/// {"key":{…},"outcome":"pass",…}
/// {"attempts":20,"sha256":"…"}
/// ```
/// The checksum leaves out line ends, because git may change them. It shows that a file was edited
/// or truncated. Files of version 1, which Assay 0.1 wrote, have no last line.
package struct BaselineFile: Sendable, Equatable {
  /// The reason why the run was accepted.
  package var reason: String
  /// The time of acceptance, ISO 8601 in UTC.
  package var acceptedAt: String
  /// The run, reduced to the suite of the baseline.
  package var run: RunRecord
  /// The attempts.
  package var attempts: [AttemptRecord]
  /// The reason for accepting the run although it has problems, or `nil` if it has none.
  package var allowed: String?
  /// The baseline that this one replaced, or `nil` if it is the first one.
  package var replaced: BaselineSummary?

  /// The first line.
  private struct Header: Codable {
    var assay = "baseline"
    var version = 2
    var reason: String
    var acceptedAt: String
    var run: RunRecord
    var allowed: String?
    var replaced: BaselineSummary?
  }

  /// The last line.
  private struct Checksum: Codable {
    var attempts: Int
    var sha256: String
  }

  /// The error for a file that is not a baseline, with the location and the problem.
  package struct Failure: Error, CustomStringConvertible, Equatable {
    /// The path of the file.
    package let path: String
    /// The line, starting at 1.
    package let line: Int
    /// A description of the problem.
    package let problem: String

    package var description: String { "\(path):\(line):1: \(problem)" }
  }

  /// Returns the path of a suite's baseline for any model in a folder of reports.
  package static func path(ofSuite suite: String, in reports: String) -> String {
    "\(reports)/baselines/\(suite).jsonl"
  }

  /// Returns the folder of baselines in the working directory, or in a folder around it up to the
  /// root of the repository, that has a baseline of a suite: `../reports/baselines`.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - kind: The kind of answers that the baseline must have: recorded, or those of a model.
  ///   - reports: The usual folder of reports, relative to each of these folders.
  ///   - directory: The working directory.
  static func folder(
    ofSuite suite: String, _ kind: BaselineKind, in reports: String, around directory: String
  ) -> String? {
    let recorded = "\(suite)@\(BaselineKind.recorded.rawValue).jsonl"
    let root = WorkingCopy.root(around: directory) ?? directory
    var folder = URL(fileURLWithPath: directory).standardizedFileURL
    let last = URL(fileURLWithPath: root).standardizedFileURL.path
    var name = "\(reports)/baselines"
    while true {
      let path = folder.appendingPathComponent("\(reports)/baselines").path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let isThere = files.contains { name in
        kind == .recorded
          ? name == recorded
          : name == "\(suite).jsonl" || name.hasPrefix("\(suite)@") && name != recorded
      }
      if isThere {
        return name
      }
      if folder.path == last || folder.path == "/" { return nil }
      folder = folder.deletingLastPathComponent().standardizedFileURL
      name = "../\(name)"
    }
  }

  /// Returns the paths of files that look like baselines but name no suite or no model: `s@.jsonl`.
  ///
  /// Every command leaves them out.
  package static func strays(in reports: String) -> [String] {
    let folder = "\(reports)/baselines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter(isStray).sorted().map { "\(folder)/\($0)" }
  }

  /// Returns whether the name of a baseline file lacks the suite or the key after `@`.
  static func isStray(_ name: String) -> Bool {
    guard name.hasSuffix(".jsonl"), !name.hasPrefix(".") else { return false }
    let stem = name.dropLast(6)
    return stem.hasPrefix("@") || stem.hasSuffix("@")
  }

  /// Returns all baselines in a folder of reports, sorted by file name.
  package static func all(in reports: String) throws(SessionFailure) -> [BaselineFile] {
    let folder = "\(reports)/baselines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var files: [BaselineFile] = []
    for name in names.filter({ $0.hasSuffix(".jsonl") && !isStray($0) }).sorted() {
      files.append(try BaselineFile(path: "\(folder)/\(name)"))
    }
    return files
  }

  /// Creates a baseline from one suite of a run.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - run: The run.
  ///   - attempts: The run's attempts.
  ///   - reason: The reason for accepting the run.
  ///   - acceptedAt: The time of acceptance.
  ///   - allowed: The reason for accepting the run although it has problems.
  ///   - replaced: The baseline that this one replaces.
  package init(
    suite: String, run: RunRecord, attempts: [AttemptRecord], reason: String, acceptedAt: String,
    allowed: String? = nil, replaced: BaselineSummary? = nil
  ) {
    self.reason = reason
    self.acceptedAt = acceptedAt
    self.allowed = allowed
    self.replaced = replaced
    self.run = run
    self.run.suites = run.suites.filter { $0.id == suite }
    self.attempts =
      attempts
      .filter { $0.key.suite == suite }
      .map { attempt in
        var attempt = attempt
        attempt.renderedPrompt = ""
        attempt.details.lookalikes = nil
        attempt.trace = []
        return attempt
      }
      .sorted { $0.key.sortKey < $1.key.sortKey }
  }

  /// Creates a baseline from the text of a file.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - path: The file's path, for errors.
  /// - Throws: `Failure`, with the line number, if the text is not a baseline.
  package init(text: String, path: String) throws(Failure) {
    let decoder = JSONDecoder()
    var lines = Self.lines(of: text)
    func read<Value: Decodable>(_ type: Value.Type, line: Int) throws(Failure) -> Value {
      do {
        return try decoder.decode(type, from: Data(lines[line].utf8))
      } catch {
        throw Failure(path: path, line: line + 1, problem: Self.explain(error))
      }
    }
    let header = try read(Header.self, line: 0)
    guard header.assay == "baseline", (1...2).contains(header.version) else {
      throw Failure(
        path: path, line: 1,
        problem: "not a baseline of version 1 or 2; `assay baseline accept` writes one")
    }
    if header.version > 1 {
      guard let last = lines.last,
        let checksum = try? decoder.decode(Checksum.self, from: Data(last.utf8))
      else {
        throw Failure(
          path: path, line: lines.count,
          problem: "the file is truncated: its last line, with the checksum, is missing")
      }
      lines.removeLast()
      guard checksum.sha256 == Self.digest(of: lines) else {
        throw Failure(
          path: path, line: lines.count + 1,
          problem: "the file was changed after its acceptance: its lines don't match its checksum; "
            + "restore it, or accept a run with `assay baseline accept`")
      }
    }
    reason = header.reason
    acceptedAt = header.acceptedAt
    allowed = header.allowed
    replaced = header.replaced
    run = header.run
    attempts = []
    var seen: Set<AttemptKey> = []
    for line in lines.indices.dropFirst() {
      let attempt = try read(AttemptRecord.self, line: line)
      guard seen.insert(attempt.key).inserted else {
        throw Failure(
          path: path, line: line + 1,
          problem: "the attempt \(attempt.key.address) appears twice; each may appear only once")
      }
      attempts.append(attempt)
    }
    attempts = attempts.withFacts(of: run.suites)
  }

  /// Reads a baseline file.
  ///
  /// - Throws: `SessionFailure` if the file can't be read, or is not a baseline.
  package init(path: String) throws(SessionFailure) {
    guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) else {
      throw SessionFailure(.cannotRun, "\(path): the baseline can't be read as UTF-8 text")
    }
    do throws(Failure) {
      try self.init(text: text, path: path)
    } catch {
      throw SessionFailure(.usage, error.description)
    }
  }

  /// Returns the lines of a file without their ends and without empty lines at the end.
  private static func lines(of text: String) -> [Substring] {
    // A carriage return before a line feed is one `Character` with it.
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Returns the digest of lines, each followed by a line feed.
  private static func digest(of lines: [Substring]) -> String {
    SHA256.hexDigest(of: lines.map { $0 + "\n" }.joined())
  }

  /// The file's facts for reviewers.
  package var summary: BaselineSummary {
    BaselineSummary(run, attempts, reason: reason, acceptedAt: acceptedAt)
  }

  /// The file's text.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func line(_ value: some Encodable) -> Substring {
      // Encoding can't fail, because records contain only finite numbers and valid text.
      (try? encoder.encode(value)).map { Substring(decoding: $0, as: UTF8.self) } ?? "{}"
    }
    let header = Header(
      reason: reason, acceptedAt: acceptedAt, run: run, allowed: allowed, replaced: replaced)
    let lines = [line(header)] + attempts.map(line)
    let checksum = Checksum(attempts: attempts.count, sha256: Self.digest(of: lines))
    return (lines + [line(checksum)]).joined(separator: "\n") + "\n"
  }

  private static func explain(_ error: any Error) -> String {
    if case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty {
      return "not the JSON of a baseline; `assay baseline accept` writes one"
    }
    return (error as? DecodingError)?.words
      ?? "not the JSON of a baseline; `assay baseline accept` writes one"
  }
}

extension AttemptKey {
  /// The key that sorts the attempts in a file: by variant, backend, test case and repeat.
  fileprivate var sortKey: String {
    let number = String(repeatIndex)
    let padded = String(repeating: "0", count: max(0, 9 - number.count)) + number
    return [suite, variant, backend, caseID, padded].joined(separator: "\u{0}")
  }
}
