import EvalRecords
import StructuredText

/// Reads the files of a suite.
struct DocumentReader {
  /// Access to the files.
  let files: FileReading
  /// Returns the problem with the id of a backend in a gate, or `nil` if there can be such a
  /// backend.
  var backendProblem: SuiteLoader.BackendCheck = { _ in nil }

  /// Returns the text of a file.
  ///
  /// - Throws: A problem if the file can't be read or isn't UTF-8.
  func text(of path: String) throws(SuiteProblem) -> String {
    let bytes: [UInt8]
    do throws(FileReading.Failure) {
      bytes = try files.bytes(path)
    } catch {
      throw SuiteProblem(
        file: path, line: 0, column: 0, problem: "can't be read: \(error.reason)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let place = UTF8Check.firstInvalidLocation(in: bytes)
      throw SuiteProblem(
        file: path, line: place?.line ?? 0, column: place?.column ?? 0, problem: "is not UTF-8",
        allowed: "the file must be UTF-8")
    }
    return text
  }

  /// Reads a document: JSON if the file name ends in `.json`, and YAML otherwise.
  func document(_ path: String) throws(SuiteProblem) -> SourceNode {
    let text = try text(of: path)
    do throws(StructuredTextError) {
      if FilePath.extension(of: path) == "json" { return try JSONReader.read(text) }
      return try YAMLReader.read(text)
    } catch {
      throw SuiteProblem(path, error)
    }
  }

  /// Returns the values in a YAML document that YAML probably reads differently than its author.
  func doubts(in path: String) -> YAMLDoubts {
    guard ["yaml", "yml"].contains(FilePath.extension(of: path)), let text = try? text(of: path)
    else { return YAMLDoubts() }
    return YAMLReader.doubts(in: text)
  }

  /// Reads a file of test cases: JSON Lines, CSV, or a list in JSON or YAML.
  ///
  /// - Returns: The test cases as mappings, and the problems of the rows that couldn't be read.
  func cases(_ path: String) -> (nodes: [SourceNode], problems: [SuiteProblem]) {
    do throws(SuiteProblem) {
      switch FilePath.extension(of: path) {
      case "jsonl", "ndjson": return lines(try text(of: path), path)
      case "csv": return try table(try text(of: path), path)
      default:
        let node = try document(path)
        guard case .sequence(let nodes) = node.content else {
          throw SuiteProblem(
            path, StructuredTextError(at: node.location, "a list of test cases is expected"))
        }
        return (nodes, [])
      }
    } catch {
      return ([], [error])
    }
  }

  /// Reads one JSON value from each line, skipping blank lines.
  private func lines(
    _ text: String, _ path: String
  ) -> (nodes: [SourceNode], problems: [SuiteProblem]) {
    var nodes: [SourceNode] = []
    var problems: [SuiteProblem] = []
    for (index, line) in text.linesByFeed.enumerated() where !line.allSatisfy(\.isWhitespace) {
      do throws(StructuredTextError) {
        nodes.append(try JSONReader.read(String(line)).moved(byLines: index))
      } catch {
        var error = error
        error.location.line += index
        problems.append(SuiteProblem(path, error))
      }
    }
    return (nodes, problems)
  }

  /// Reads one test case from each row; the first row is the header.
  private func table(
    _ text: String, _ path: String
  ) throws(SuiteProblem) -> (nodes: [SourceNode], problems: [SuiteProblem]) {
    let rows: [[CSVReader.Cell]]
    do throws(StructuredTextError) {
      rows = try CSVReader.read(text)
    } catch {
      throw SuiteProblem(path, error)
    }
    guard let header = rows.first else {
      throw SuiteProblem(
        file: path, line: 1, column: 1, problem: "the file is empty",
        allowed: "the first row contains the names of the columns")
    }
    if header.count == 1, let sign = header[0].text.first(where: { $0 == ";" || $0 == "\t" }) {
      throw SuiteProblem(
        path,
        StructuredTextError(
          at: header[0].location,
          "the only column has \(sign == ";" ? "semicolons" : "tabs") in its name",
          allowed: "commas separate columns"))
    }
    var problems: [SuiteProblem] = []
    func add(_ place: SourceLocation, _ problem: String, _ allowed: String) {
      problems.append(SuiteProblem(path, StructuredTextError(at: place, problem, allowed: allowed)))
    }
    for (index, cell) in header.enumerated() {
      if cell.text.isEmpty {
        add(
          cell.location, "the column has no name", "the first row contains the names of the columns"
        )
      } else if let first = header[..<index].first(where: { $0.text == cell.text }) {
        add(
          cell.location, "there are two columns `\(cell.text)`",
          "the first one is in column \(first.location.column)")
      } else if ["assertions", "stub", "options", "gate"].contains(cell.text) {
        add(
          cell.location, "a CSV file can't have a column `\(cell.text)`",
          "use JSON Lines for test cases with their own `\(cell.text)`")
      }
    }
    guard problems.isEmpty else { return ([], problems) }
    var nodes: [SourceNode] = []
    for row in rows.dropFirst() {
      guard row.count == header.count else {
        add(
          row[0].location, "the row has \(row.count.counted("cell"))",
          "\(header.count) are expected, as in the first row")
        continue
      }
      nodes.append(Self.node(header, row))
    }
    return (nodes, problems)
  }

  private static func node(_ header: [CSVReader.Cell], _ row: [CSVReader.Cell]) -> SourceNode {
    var members: [SourceMember] = []
    for (name, cell) in zip(header, row) {
      let content: SourceNode.Content
      switch name.text {
      case "title", "repeats", "threshold":
        guard !cell.text.isEmpty else { continue }
        let number = name.text == "title" ? nil : JSONNumber(cell.text)
        content = .scalar(number.map { .number($0) } ?? .string(cell.text))
      case "tags":
        content = .sequence(
          cell.text.split { $0.isWhitespace || $0 == "," || $0 == ";" }
            .map { SourceNode(.scalar(.string(String($0))), at: cell.location) })
      default: content = .scalar(.string(cell.text))
      }
      members.append(
        SourceMember(
          key: name.text, keyLocation: cell.location, node: SourceNode(content, at: cell.location)))
    }
    return SourceNode(.mapping(members), at: row[0].location)
  }
}

extension SuiteProblem {
  /// Creates a problem from a parse error.
  init(_ file: String, _ error: StructuredTextError) {
    self.init(
      file: file, line: error.location.line, column: error.location.column,
      problem: error.problem, allowed: error.allowed)
  }
}
