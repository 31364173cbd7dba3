import EvalSuites
import StructuredText
import SystemBasics

/// One line of an application's log: a request to a model, and its answer.
///
/// ```
/// {"prompt": "Make cards from: The owl …", "output": {"cards": []}}
/// {"input": "The owl …", "output": "{\"cards\": []}", "time": "2026-11-02T10:00:00Z"}
/// {"input": "The owl …", "count": 3, "output": {"cards": []}}
/// ```
///
/// `prompt` is the whole prompt as it was sent. `input` is the value of the variable `input`, or an
/// object with the values of several variables. For `assay case`, `input` can also be the value of
/// the prompt's only variable, whatever that variable's name is. `instructions` is optional. Other
/// keys count if the suite uses variables with their names, for example for expected values, and if
/// they are ``RecordedFacts``.
package struct LoggedAnswer: Sendable, Hashable {
  /// The answer's location: in a log, the file, the line and the column; in a transcript, the file
  /// and the number of the prompt.
  package var place: String
  /// The line number, or 0 if the answer doesn't come from a log.
  package var line: Int
  /// The prompt, or the values of its variables.
  package var question: Question
  /// The answer, as JSON or text, or `nil` if there was none.
  package var output: String?
  /// The instructions, or `nil` if the log has none.
  package var instructions: String?

  /// The line's other members, which may be values of variables.
  package var others = JSONObject()
  /// The facts about the answer: its failure, its model, its seed and more.
  package var facts = RecordedFacts()

  /// The prompt, or the values of the variables of the suite's prompt.
  package enum Question: Sendable, Hashable {
    /// A whole prompt.
    case prompt(String)
    /// The value of a prompt's variable, or an object with the values of several variables.
    case input(JSONValue)
  }

  /// Creates an answer that doesn't come from a line of a log.
  init(place: String, question: Question, output: String?, instructions: String?) {
    self.place = place
    line = 0
    self.question = question
    self.output = output
    self.instructions = instructions
  }

  /// Returns whether a document is meant as a logged answer, even if it isn't valid.
  package static func isOne(_ document: JSONValue) -> Bool {
    guard case .object(let members) = document, document["transcript"] == nil else { return false }
    return ["prompt", "input", "output"].contains { key in
      members.keys.contains { $0 == key }
    }
  }

  /// Returns whether a document is an object with none of the keys that logs, transcripts and
  /// exports have.
  package static func isUnknown(_ document: JSONValue) -> Bool {
    guard case .object = document else { return false }
    let isTyped = document["type"]?.string?.hasPrefix("FoundationModels") ?? false
    return !isTyped && ["transcript", "entries", "assay"].allSatisfy { document[$0] == nil }
  }

  /// Describes the keys of a line of a log that has none of the known keys.
  package static func unknownKeys(of document: JSONValue) -> String {
    let keys = document.object?.keys ?? []
    let shown = ValueWords.list(Array(keys.prefix(8)))
    return "a line of a log has `output`, and `prompt` or `input`, but this one has \(shown)"
      + (keys.count > 8 ? " and others" : "")
      + "; rename the keys: `prompt` is the prompt as it was sent, `input` its variables, `output` "
      + "the answer, and `instructions` the system message"
  }

  /// Creates an answer by reading an object in a log.
  ///
  /// - Parameters:
  ///   - document: The object in the log.
  ///   - file: The file.
  ///   - location: The position of the object in the file.
  /// - Throws: `SessionFailure` if a key is missing, if its value has the wrong type, or if the
  ///   object has both `prompt` and `input`.
  package init(
    _ document: JSONValue, of file: String, at location: SourceLocation
  ) throws(SessionFailure) {
    let place = "\(file):\(location.line):\(location.column)"
    func failure(_ problem: String, _ allowed: String) -> SessionFailure {
      SessionFailure(.usage, "\(place): \(problem); \(allowed)")
    }
    self.place = place
    line = location.line
    let keys = document.object?.keys ?? []
    let known = ["prompt", "input", "output", "instructions"]
    others = JSONObject((document.object ?? [:]).members.filter { !known.contains($0.key) })
    switch (document["prompt"], document["input"]) {
    case (.string(let prompt)?, nil): question = .prompt(prompt)
    case (nil, let input?) where input.string != nil || input.object?.isEmpty == false:
      question = .input(input)
    case (_?, _?): throw failure("the line has `prompt` and `input`", "only one of them is allowed")
    case (_?, nil):
      throw failure("`prompt` is not a string", "the prompt as it was sent is expected")
    case (nil, _?):
      throw failure(
        "`input` is neither a string nor an object with at least one key",
        "the prompt's variables are expected")
    case (nil, nil):
      if document["output"] == nil {
        throw SessionFailure(.usage, "\(place): \(Self.unknownKeys(of: document))")
      }
      let near = keys.lazy.filter { !known.contains($0) }
        .first { NearestName.nearest(to: $0, among: ["prompt", "input"]) != nil }
      throw failure(
        "the line has neither `prompt` nor `input`" + (near.map { ", but `\($0)`" } ?? ""),
        "`prompt` or `input` is expected next to `output`")
    }
    guard document["output"] != nil else {
      throw failure(
        "the line has no `output`", "the answer is expected, or `null` if there was none")
    }
    switch document["output"] {
    case .null?, nil: output = nil
    case .string(let text)?: output = text
    case let value?: output = value.compactText
    }
    instructions = document["instructions"]?.string
    facts = RecordedFacts(line: document, hasOutput: output != nil)
  }

  // MARK: Files

  /// The maximum size of a log in bytes.
  private static let limit = 256 << 20

  /// Reads a log: one object, a list of objects, or an object on each line.
  ///
  /// - Throws: `SessionFailure` if the file can't be read, or if an answer is invalid; the message
  ///   gives the position of the first invalid answer.
  package static func answers(inFile file: String) throws(SessionFailure) -> [LoggedAnswer] {
    try documents(inFile: file).map { (document) throws(SessionFailure) in
      try LoggedAnswer(document.value, of: file, at: document.location)
    }
  }

  /// Reads the JSON documents of a file with their positions.
  package static func documents(
    inFile file: String
  ) throws(SessionFailure) -> [(location: SourceLocation, value: JSONValue)] {
    try documents(in: TextFile.text(of: file, limit: limit), of: file)
  }

  /// Reads the JSON documents of a text: a list of documents, one document, or one document on each
  /// line.
  package static func documents(
    in text: String, of file: String
  ) throws(SessionFailure) -> [(location: SourceLocation, value: JSONValue)] {
    let whole: StructuredTextError
    do throws(StructuredTextError) {
      let node = try JSONReader.read(text)
      guard case .sequence(let nodes) = node.content else { return [(node.location, node.value)] }
      return nodes.map { ($0.location, $0.value) }
    } catch {
      whole = error
    }
    var documents: [(location: SourceLocation, value: JSONValue)] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      do throws(StructuredTextError) {
        let value = try JSONValue(parsing: String(line))
        documents.append((SourceLocation(line: index + 1, column: 1), value))
      } catch {
        // If no earlier line was a document, the text is meant as one document that spans several
        // lines, so report the error of the whole text. Otherwise, report the error of this line.
        guard !documents.isEmpty else { throw SessionFailure(.usage, "\(file):\(whole)") }
        throw SessionFailure(
          .usage,
          "\(file):\(index + 1):1: not JSON: \(error.problem) in column \(error.location.column)")
      }
    }
    return documents
  }
}
