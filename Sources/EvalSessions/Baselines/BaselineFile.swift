import EvalRecords
import Foundation
import StructuredText

/// A run of one suite that is kept in git as a reference: `reports/baselines/SUITE.jsonl`.
///
/// The format is JSON Lines, so that changes are readable in a diff. The first line has the record
/// of the run and the reason for accepting it. Each of the following lines has one attempt, without
/// its prompt and trace.
package struct BaselineFile: Sendable, Equatable {
  /// The reason why the run was accepted.
  package var reason: String
  /// The time of acceptance, ISO 8601 in UTC.
  package var acceptedAt: String
  /// The run, reduced to the suite of the baseline.
  package var run: RunRecord
  /// The attempts.
  package var attempts: [AttemptRecord]

  /// The first line.
  private struct Header: Codable {
    var assay = "baseline"
    var version = 1
    var reason: String
    var acceptedAt: String
    var run: RunRecord
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

  /// Returns all baselines in a folder of reports, sorted by file name.
  package static func all(in reports: String) throws(SessionFailure) -> [BaselineFile] {
    let folder = "\(reports)/baselines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var files: [BaselineFile] = []
    for name in names.filter({ $0.hasSuffix(".jsonl") }).sorted() {
      let path = "\(folder)/\(name)"
      let text = (try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)) ?? ""
      do throws(Failure) {
        files.append(try BaselineFile(text: text, path: path))
      } catch {
        throw SessionFailure(.usage, error.description)
      }
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
  package init(
    suite: String, run: RunRecord, attempts: [AttemptRecord], reason: String, acceptedAt: String
  ) {
    self.reason = reason
    self.acceptedAt = acceptedAt
    self.run = run
    self.run.suites = run.suites.filter { $0.id == suite }
    self.attempts =
      attempts
      .filter { $0.key.suite == suite }
      .map { attempt in
        var attempt = attempt
        attempt.renderedPrompt = ""
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
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func read<Value: Decodable>(_ type: Value.Type, line: Int) throws(Failure) -> Value {
      do {
        return try decoder.decode(type, from: Data(lines[line].utf8))
      } catch {
        throw Failure(path: path, line: line + 1, problem: Self.explain(error))
      }
    }
    let header = try read(Header.self, line: 0)
    guard header.assay == "baseline", header.version == 1 else {
      throw Failure(
        path: path, line: 1,
        problem: "not a baseline of version 1; `assay baseline accept` writes one")
    }
    reason = header.reason
    acceptedAt = header.acceptedAt
    run = header.run
    attempts = []
    var seen: Set<AttemptKey> = []
    for line in lines.indices.dropFirst() where !lines[line].isEmpty {
      let attempt = try read(AttemptRecord.self, line: line)
      guard seen.insert(attempt.key).inserted else {
        throw Failure(
          path: path, line: line + 1,
          problem: "the attempt \(attempt.key.address) appears twice; each may appear only once")
      }
      attempts.append(attempt)
    }
  }

  /// The file's text.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func line(_ value: some Encodable) -> String {
      // Encoding can't fail, because records contain only finite numbers and valid text.
      (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
    let header = Header(reason: reason, acceptedAt: acceptedAt, run: run)
    return ([line(header)] + attempts.map(line)).joined(separator: "\n") + "\n"
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
