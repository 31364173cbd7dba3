import EvalFindings
import StructuredText

/// Writes rows of CSV as RFC 4180 defines it.
///
/// The writer puts quotes around a field that contains a comma, a quote or a line end, doubles the
/// quotes in a field, and writes CR LF after each line.
///
/// A spreadsheet reads a field that begins with `=`, `+`, `-`, `@`, a tab or a line end as a
/// formula (OWASP, "CSV injection"). So the writer puts an apostrophe before such a text, even if
/// spaces precede the character or it is full-width (`＝`). The writer doesn't change numbers.
struct CSVText {
  /// The rows so far.
  private(set) var text = ""

  enum Field {
    case text(String)
    case integer(Int)
    case number(Double)
    case none
  }

  mutating func row(_ fields: [Field]) {
    text += fields.map(Self.field).joined(separator: ",") + "\r\n"
  }

  private static func field(_ field: Field) -> String {
    switch field {
    case .none: ""
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): quoted(harmless(text))
    }
  }

  /// Returns the text in a form that no spreadsheet reads as a formula, with U+FFFD in place of
  /// NUL.
  private static func harmless(_ text: String) -> String {
    let text = text.replacingScalars("\u{0}", with: "\u{FFFD}")
    let start = text.unicodeScalars.first { $0 != " " && $0 != "\u{A0}" && $0 != "\u{FEFF}" }
    guard let start, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(start) else { return text }
    return "'" + text
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      byte == 0x22 || byte == 0x2C || byte == 0x0D || byte == 0x0A
    }
    return needsQuotes ? "\"" + text.replacingScalars("\"", with: "\"\"") + "\"" : text
  }
}
