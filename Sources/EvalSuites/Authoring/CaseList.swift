import StructuredText

/// The list of a suite's test cases as it is written: in the suite file or in a separate data file.
package struct CaseList {
  /// The file with the list.
  package let path: String
  private let text: String
  private let kind: Kind
  private let reader: DocumentReader

  private enum Kind {
    case lines
    case table
    /// A list in a JSON document, or a JSON document that is itself a list.
    case json(SourceNode)
    case yaml(SourceNode)
  }

  /// Creates a list by finding the test cases of a suite.
  ///
  /// - Parameters:
  ///   - suite: The path of the suite file.
  ///   - files: Access to the files.
  /// - Throws: A problem if the files can't be read, or there is no list.
  package init(of suite: String, in files: FileReading) throws(SuiteProblem) {
    let reader = DocumentReader(files: files)
    let root = try reader.document(suite)
    var path = suite
    var list = root["cases"]
    if let name = root["cases"]?["file"]?.text {
      path = FilePath.join(FilePath.folder(of: suite), name)
      list = nil
    }
    let ending = FilePath.extension(of: path)
    self.path = path
    self.reader = reader
    text = try reader.text(of: path)
    switch ending {
    case "jsonl" where list == nil, "ndjson" where list == nil: kind = .lines
    case "csv" where list == nil: kind = .table
    default:
      let node = if let list { list } else { try reader.document(path) }
      guard case .sequence = node.content else {
        throw SuiteProblem(
          file: path, line: node.location.line, column: node.location.column,
          problem: "there is no list of test cases here", allowed: "a list is expected")
      }
      kind = ending == "json" ? .json(node) : .yaml(node)
    }
  }

  /// Returns the text of the file with test cases added at the end of the list.
  ///
  /// The existing text is unchanged.
  ///
  /// - Throws: A problem if adding the test cases would require changes to other lines.
  package func adding(_ drafts: [CaseDraft]) throws(SuiteProblem) -> String {
    let extended: String?
    switch kind {
    case .lines: extended = Self.linesAdded(drafts, to: text)
    case .table: extended = try Self.rowsAdded(drafts, to: text, path)
    case .json(let list): extended = Self.elementsAdded(drafts, to: list, in: text)
    case .yaml(let list): extended = Self.itemsAdded(drafts, to: list, in: text)
    }
    guard let extended, isExtension(extended, by: drafts) else {
      let place: SourceLocation? =
        switch kind {
        case .json(let list), .yaml(let list): list.location
        case .lines, .table: nil
        }
      throw SuiteProblem(
        file: path, line: place?.line ?? 0, column: place?.column ?? 0,
        problem: "the list of test cases can't be extended without changing other lines",
        allowed: "in YAML, each test case must begin with a dash on a new line")
    }
    return extended
  }

  /// Returns whether a new text has the same content as the old text, with the drafts added at the
  /// end of the list.
  private func isExtension(_ new: String, by drafts: [CaseDraft]) -> Bool {
    let before = values(of: text)
    let after = values(of: new)
    guard let before, let after, after.rest == before.rest,
      after.cases.count == before.cases.count + drafts.count,
      Array(after.cases.prefix(before.cases.count)) == before.cases
    else { return false }
    return zip(after.cases.suffix(drafts.count), drafts).allSatisfy { value, draft in
      if case .table = kind { return true }
      return value == .object(draft.value)
    }
  }

  /// Returns the test cases in a text, and the rest of the document, or `nil` if the text can't be
  /// read.
  private func values(of text: String) -> (cases: [JSONValue], rest: JSONValue?)? {
    let files = FileReading.memory([path: text])
    let reader = DocumentReader(files: files)
    switch kind {
    case .lines, .table:
      let read = reader.cases(path)
      return read.problems.isEmpty ? (read.nodes.map(\.value), nil) : nil
    case .json, .yaml:
      guard let document = try? reader.document(path) else { return nil }
      if case .sequence(let nodes) = document.content { return (nodes.map(\.value), nil) }
      var rest = document.value.object
      let cases = rest?["cases"]?.array
      rest?["cases"] = nil
      return cases.map { ($0, rest.map { .object($0) }) }
    }
  }
}
