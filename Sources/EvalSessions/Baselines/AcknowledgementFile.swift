import EvalRecords
import StructuredText
import SystemBasics

/// The findings that a team knows and lives with for a time, in a file that belongs in git:
/// `reports/baselines/acknowledged.yaml`.
///
/// ```yaml
/// - suite: "quiz"
///   variant: "default"
///   backend: "local"
///   quantity: "pass rate"
///   limit: 0.31              # worse than that, and the finding has grown
///   cases: ["moon", "owl"]   # if another test case newly fails, the finding has grown
///   reason: "waiting for the new guides"
///   since: 2026-11-29
///   until: 2026-12-31
/// ```
/// `assay acknowledge` adds entries at the end, and removes entries about the same findings. People
/// may edit the file and write comments in it.
package struct AcknowledgementFile {
  /// The path of the file.
  package let path: String
  /// The entries, in the order of the file.
  package let entries: [Acknowledgement]
  /// The line on which each entry begins.
  private let lines: [Int]

  private static let keys = [
    "suite", "variant", "backend", "quantity", "limit", "cases", "reason", "since", "until",
  ]
  private static let optionalKeys: Set<String> = ["variant", "backend", "cases"]

  /// Returns the path of the file in a folder of reports.
  package static func path(in reports: String) -> String {
    "\(reports)/baselines/acknowledged.yaml"
  }

  /// Reads the first file that exists in one of the folders of reports; without a file, there are
  /// no entries.
  ///
  /// - Throws: `SessionFailure` with the position of every mistake.
  package init(in folders: [String]) throws(SessionFailure) {
    let paths = folders.map(Self.path)
    guard let path = paths.first(where: FileManager.default.fileExists) else {
      self.init(path: paths.first ?? "", entries: [], lines: [])
      return
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SessionFailure(.cannotRun, "\(path): the acknowledgements can't be read")
    }
    try self.init(Array(data), path: path)
  }

  private init(path: String, entries: [Acknowledgement], lines: [Int]) {
    self.path = path
    self.entries = entries
    self.lines = lines
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `SessionFailure` with the position of every mistake.
  package init(_ bytes: [UInt8], path: String) throws(SessionFailure) {
    var problems: [String] = []
    func add(_ location: SourceLocation, _ problem: String) {
      problems.append("\(path):\(location.line):\(location.column): \(problem)")
    }
    let root: SourceNode
    do throws(StructuredTextError) {
      root = try YAMLReader.read(bytes)
    } catch {
      throw SessionFailure(
        .usage,
        "\(path):\(error.location.line):\(error.location.column): \(error.problem)"
          + (error.allowed.isEmpty ? "" : "; \(error.allowed)"))
    }
    var entries: [Acknowledgement] = []
    var lines: [Int] = []
    switch root.content {
    case .scalar(.null): break
    case .sequence(let nodes):
      for node in nodes {
        if let entry = Self.entry(node, add) {
          entries.append(entry)
          lines.append(node.location.line)
        }
      }
    default: add(root.location, "a list of entries is expected, each beginning with `- suite: …`")
    }
    guard problems.isEmpty else { throw SessionFailure(.usage, problems) }
    self.init(path: path, entries: entries, lines: lines)
  }

  /// Reads one entry, or returns `nil` after it reported a mistake.
  private static func entry(
    _ node: SourceNode, _ add: (SourceLocation, String) -> Void
  ) -> Acknowledgement? {
    guard case .mapping(let members) = node.content else {
      add(node.location, "an entry with \(keys.joined(separator: ", ")) is expected")
      return nil
    }
    var isGood = true
    func fail(_ location: SourceLocation, _ problem: String) {
      isGood = false
      add(location, problem)
    }
    for member in members where !keys.contains(member.key) {
      fail(
        member.keyLocation,
        "there is no key `\(member.key)`; \(keys.joined(separator: ", ")) are allowed")
    }
    for key in keys where node[key] == nil && !optionalKeys.contains(key) {
      fail(node.location, "`\(key)` is missing")
    }
    func text(_ key: String) -> String {
      guard let value = node[key] else { return "" }
      guard case .scalar(.string(let text)) = value.content else {
        fail(value.location, "`\(key)` must be a text that isn't empty")
        return ""
      }
      guard text.contains(where: { !$0.isWhitespace }) else {
        fail(value.location, "`\(key)` is blank; allowed: a text that isn't empty")
        return ""
      }
      return text
    }
    func date(_ key: String) -> String {
      let text = text(key)
      if let value = node[key], !text.isEmpty, !isDate(text) {
        fail(value.location, "`\(key)` must be a date such as 2026-12-31, not `\(text)`")
      }
      return text
    }
    var limit = 0.0
    if let value = node["limit"] {
      if let number = value.value.double, number.isFinite {
        limit = number
        // A metric has its own unit.
        if !(node["quantity"]?.value.string ?? "").hasPrefix("gate: metric "),
          !(0...1).contains(number)
        {
          fail(value.location, "`limit` is \(number); allowed: a share from 0 to 1, such as 0.31")
        }
      } else {
        fail(value.location, "`limit` must be a number such as 0.31")
      }
    }
    var cases: [String]?
    if let value = node["cases"] {
      if case .sequence(let nodes) = value.content {
        cases = []
        for element in nodes {
          guard case .scalar(.string(let id)) = element.content else {
            fail(element.location, "an element of `cases` isn't a text; allowed: ids of test cases")
            continue
          }
          cases?.append(id)
        }
      } else {
        fail(value.location, "`cases` isn't a list; allowed: [\"ID\", …], the ids of test cases")
      }
    }
    let entry = Acknowledgement(
      suite: text("suite"), variant: node["variant"] == nil ? nil : text("variant"),
      backend: node["backend"] == nil ? nil : text("backend"), quantity: text("quantity"),
      limit: limit, cases: cases, reason: text("reason"), since: date("since"),
      until: date("until"))
    if isGood, entry.until < entry.since, let value = node["until"] {
      fail(value.location, "`until` must not be before `since`, \(entry.since)")
    }
    return isGood ? entry : nil
  }

  /// Returns whether a text is a date in the form `2026-12-31`.
  package static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Returns the text of an entry, with the value that the run had as a comment.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - remark: A remark about the limit.
  package static func text(of entry: Acknowledgement, remark: String) -> String {
    func quoted(_ text: String) -> String { JSONValue.string(text).compactText }
    var lines = ["- suite: \(quoted(entry.suite))"]
    if let variant = entry.variant { lines.append("  variant: \(quoted(variant))") }
    if let backend = entry.backend { lines.append("  backend: \(quoted(backend))") }
    lines += [
      "  quantity: \(quoted(entry.quantity))", "  limit: \(entry.limit)  # \(remark)",
    ]
    if let cases = entry.cases {
      lines.append("  cases: [\(cases.map(quoted).joined(separator: ", "))]")
    }
    lines += [
      "  reason: \(quoted(entry.reason))", "  since: \(entry.since)", "  until: \(entry.until)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let heading = """
    # Findings that the team knows and lives with for a time. `assay acknowledge` adds entries;
    # edit or remove them by hand. Beyond `limit`, a finding has grown and fails again.

    """

  /// Adds entries at the end of the file of a folder of reports, and keeps everything else in it
  /// except the entries to replace.
  ///
  /// - Parameters:
  ///   - texts: The texts of the entries.
  ///   - reports: The folder of reports.
  ///   - isReplaced: Returns whether the new entries replace an entry of the file.
  /// - Returns: The path of the file, and the number of replaced entries.
  package static func add(
    _ texts: [String], in reports: String, replacing isReplaced: (Acknowledgement) -> Bool
  ) throws(SessionFailure) -> (path: String, replaced: Int) {
    let path = path(in: reports)
    var text = heading
    var kept: [Acknowledgement] = []
    var replaced = 0
    if let data = FileManager.default.contents(atPath: path) {
      let file = try AcknowledgementFile(Array(data), path: path)
      kept = file.entries.filter { !isReplaced($0) }
      replaced = file.entries.count - kept.count
      text = file.text(String(decoding: data, as: UTF8.self), without: isReplaced)
    }
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    text += texts.joined()
    var entries: [Acknowledgement] = []
    do throws(SessionFailure) {
      entries = try AcknowledgementFile(Array(text.utf8), path: path).entries
    } catch {
      // The text isn't what it should be; the error below says what to do.
    }
    guard entries.count == kept.count + texts.count, entries.starts(with: kept) else {
      throw SessionFailure(
        .usage,
        "\(path): entries can only be added or replaced in a list with one line for each key; "
          + "edit the file by hand\(replaced > 0 ? ", in place of the old entries" : "")"
          + ":\n\(texts.joined())")
    }
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: "\(reports)/baselines").replace(path, with: text)
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    return (path, replaced)
  }

  /// Returns the text of the file without some entries.
  ///
  /// Comments and empty lines between entries stay.
  private func text(_ text: String, without isRemoved: (Acknowledgement) -> Bool) -> String {
    var rows = text.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }.map(String.init)
    // From the end, so that the numbers of the earlier lines stay right.
    for (index, entry) in entries.enumerated().reversed() where isRemoved(entry) {
      let start = lines[index] - 1
      var end = index + 1 < lines.count ? lines[index + 1] - 1 : rows.count
      end = min(end, rows.count)
      while end > start + 1 {
        let row = rows[end - 1].drop(while: { $0 == " " || $0 == "\t" })
        guard row.isEmpty || row.first == "#" else { break }
        end -= 1
      }
      if start < end { rows.removeSubrange(start..<end) }
    }
    return rows.joined(separator: "\n")
  }
}
