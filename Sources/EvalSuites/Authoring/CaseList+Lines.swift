import StructuredText

extension CaseList {
  /// Adds test cases to the end of a JSON Lines file.
  static func linesAdded(_ drafts: [CaseDraft], to text: String) -> String {
    added(drafts.map { JSONValue.object($0.value).compactText }, to: text)
  }

  /// Adds test cases as rows at the end of a CSV table.
  ///
  /// - Throws: A problem if the table can't be read, or lacks a column that a test case needs.
  static func rowsAdded(
    _ drafts: [CaseDraft], to text: String, _ path: String
  ) throws(SuiteProblem) -> String {
    let header: [CSVReader.Cell]
    do throws(StructuredTextError) {
      header = try CSVReader.read(text).first ?? []
    } catch {
      throw SuiteProblem(path, error)
    }
    let columns = header.map(\.text)
    var rows: [String] = []
    for draft in drafts {
      for member in draft.value.members where !columns.contains(member.key) {
        // Without an id column, the loader derives the row's id from its variables.
        if member.key == "id", draft.id == draft.generatedID { continue }
        throw SuiteProblem(
          file: draft.place, line: 0, column: 0,
          problem: "the table \(path) has no column `\(member.key)`",
          allowed: NearestName.hint(for: member.key, among: columns, what: "columns"))
      }
      let cells = columns.map { column -> String in
        switch draft.value[column] {
        case .string(let text): cell(text)
        case .array(let tags) where column == "tags":
          cell(tags.compactMap(\.string).joined(separator: " "))
        case let value?: cell(value.compactText)
        case nil: ""
        }
      }
      rows.append(cells.joined(separator: ","))
    }
    return added(rows, to: text)
  }

  private static func cell(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(text.replacingScalars("\"", with: "\"\""))\"" : text
  }

  /// Appends lines, with the line ending that the text already uses.
  private static func added(_ lines: [String], to text: String) -> String {
    let lineEnd = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    let isOpen = !text.isEmpty && text.utf8.last != 0x0A
    return text + (isOpen ? lineEnd : "") + lines.map { $0 + lineEnd }.joined()
  }
}
