import StructuredText

/// Parses comma-separated values (RFC 4180) and records the position of each cell.
///
/// Commas separate cells, and line breaks separate rows. Between double quotes, a cell may contain
/// commas and line breaks, and a doubled quote stands for one quote. A line break at the end of the
/// text doesn't begin another row.
enum CSVReader {
  /// One cell.
  struct Cell: Hashable {
    var text: String
    var location: SourceLocation
  }

  /// Parses a table.
  ///
  /// - Parameter text: The text; a leading byte order mark is skipped.
  /// - Returns: The rows, without empty lines.
  /// - Throws: `StructuredTextError` if a quote isn't closed or is in the middle of a cell, or if
  ///   text follows a closing quote.
  static func read(_ text: String) throws(StructuredTextError) -> [[Cell]] {
    var scanner = Scanner(text: text)
    return try scanner.rows()
  }

  private struct Scanner {
    private let characters: [Character]
    private var position = 0
    private var line = 1
    private var column = 1

    init(text: String) {
      // A comma or a quote separates even if it is a part of a character, for example before a
      // combining mark.
      let characters = text.flatMap { character in
        character.unicodeScalars.contains { $0 == "," || $0 == "\"" }
          ? character.unicodeScalars.map { Character($0) } : [character]
      }
      self.characters = characters.first == "\u{feff}" ? Array(characters.dropFirst()) : characters
    }

    private var current: Character? {
      position < characters.count ? characters[position] : nil
    }

    private var location: SourceLocation { SourceLocation(line: line, column: column) }

    private mutating func advance() {
      guard let current else { return }
      position += 1
      if current.isLineBreak {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }

    mutating func rows() throws(StructuredTextError) -> [[Cell]] {
      var rows: [[Cell]] = []
      while let first = current {
        if first.isLineBreak {
          advance()
        } else {
          rows.append(try row())
        }
      }
      return rows
    }

    private mutating func row() throws(StructuredTextError) -> [Cell] {
      var cells = [try cell()]
      while current == "," {
        advance()
        cells.append(try cell())
      }
      advance()
      return cells
    }

    private mutating func cell() throws(StructuredTextError) -> Cell {
      let start = location
      if current == "\"" { return Cell(text: try quoted(), location: start) }
      var text = ""
      while let next = current, next != ",", !next.isLineBreak {
        if next == "\"" {
          throw StructuredTextError(
            at: location, "a quotation mark in the middle of a cell",
            allowed: "quote a cell that contains quotes, and double its quotes")
        }
        text.append(next)
        advance()
      }
      return Cell(text: text, location: start)
    }

    private mutating func quoted() throws(StructuredTextError) -> String {
      let start = location
      advance()
      var text = ""
      while let next = current {
        advance()
        guard next == "\"" else {
          text.append(next)
          continue
        }
        if current == "\"" {
          text.append("\"")
          advance()
          continue
        }
        if let after = current, after != ",", !after.isLineBreak {
          throw StructuredTextError(
            at: location, "`\(after)` follows a closing quote",
            allowed: "a comma or the end of the line; double a quote inside a cell")
        }
        return text
      }
      throw StructuredTextError(
        at: start, "the quote is not closed", allowed: "`\"` must follow")
    }
  }
}

extension Character {
  fileprivate var isLineBreak: Bool { self == "\n" || self == "\r\n" || self == "\r" }
}
