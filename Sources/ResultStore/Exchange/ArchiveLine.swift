import EvalRecords
import StructuredText
import SystemBasics

/// One line of an archive, the JSON Lines format that `assay export` writes and `assay import`
/// reads.
///
/// ```
/// {"assay":"results","version":1}
/// {"reference":"…"}                  a reference of the following runs; they name its digest
/// {"run":{"id":214,…}}
/// {"attempt":{…}}                    the attempts of the preceding run, in their stored order
/// {"baseline":{…}}                   an acceptance, which only Assay 0.1 recorded; it is ignored
/// ```
///
/// The keys of a record are sorted, so the same record always has the same line. The variables of
/// test cases are an exception: they keep the order of their keys and their number formats. The
/// strings `inf`, `-inf` and `nan` stand for numbers that JSON can't express.
enum ArchiveLine {
  case header
  case run(RunRecord)
  case attempt(AttemptRecord)
  case reference(String)
  case baseline

  /// The version of the format.
  static let version = 1

  /// The error message for an attempt without a run before it.
  static let strayAttempt = "an attempt without a run before it"

  /// Returns an error message for an attempt that the run already has.
  static func repeatedAttempt(_ key: AttemptKey) -> String {
    "the attempt \(key.address) of the variant \(key.variant) on \(key.backend) appears twice; "
      + "each attempt may appear only once"
  }

  /// The reason why a text isn't a valid line of an archive.
  struct Problem: Error {
    let words: String
    /// The column, starting at 1.
    var column = 1
  }

  /// Returns the line's text, without a line end.
  func text(path: String) throws -> String {
    switch self {
    case .header: return #"{"assay":"results","version":\#(Self.version)}"#
    case .run(let run):
      return JSONValue.object(["run": try Self.value(of: run, path: path)]).compactText
    case .attempt(let attempt):
      return #"{"attempt":"# + (try RecordText.text(of: attempt, path: path)) + "}"
    case .reference(let copy):
      return JSONValue.object(["reference": .string(copy)]).compactText
    case .baseline: return #"{"baseline":{}}"#
    }
  }

  /// Creates a line from its text.
  ///
  /// - Throws: `Problem` with a description.
  init(text: String) throws(Problem) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text)
    } catch {
      let allowed = error.allowed.isEmpty ? "" : "; \(error.allowed)"
      throw Problem(
        words: "the line is not JSON: \(error.problem)\(allowed)", column: error.location.column)
    }
    guard let object = value.object, let kind = object.keys.first else {
      throw Problem(words: "expected an object: a run, an attempt or a reference")
    }
    func record<Value: Decodable>(_ type: Value.Type, _ text: String) throws(Problem) -> Value {
      do {
        return try RecordText.value(type, from: text, path: "")
      } catch {
        throw Problem(words: "\(kind): \((error as? StoreError)?.reason ?? "unreadable")")
      }
    }
    switch kind {
    case "assay":
      guard value["assay"]?.string == "results", value["version"]?.int == Self.version else {
        throw Problem(
          words: "this is not an archive of version \(Self.version); `assay export` writes one")
      }
      self = .header
    case "run":
      let (plain, variables) = Self.withoutVariables(value["run"] ?? .null)
      var run = try record(RunRecord.self, plain.compactText)
      for suite in run.suites.indices {
        for index in run.suites[suite].cases.indices {
          run.suites[suite].cases[index].variables = variables[suite][index]
        }
      }
      self = .run(run)
    case "attempt":
      self = .attempt(try record(AttemptRecord.self, (value["attempt"] ?? .null).compactText))
    case "reference":
      guard let copy = value["reference"]?.string else {
        throw Problem(words: "reference: expected the text of a baseline file")
      }
      self = .reference(copy)
    case "baseline": self = .baseline
    default:
      throw Problem(words: "`\(kind)` is unknown; expected run, attempt or reference")
    }
  }

  /// Returns a run as JSON, with the original variables of its test cases.
  ///
  /// `JSONEncoder` would sort the keys of the variables and round their numbers.
  private static func value(of run: RunRecord, path: String) throws -> JSONValue {
    var plain = run
    for suite in plain.suites.indices {
      for index in plain.suites[suite].cases.indices {
        plain.suites[suite].cases[index].variables = .null
      }
    }
    var value = try JSONValue(parsing: try RecordText.text(of: plain, path: path))
    value.mapCases { suite, index, members in
      members["variables"] = run.suites[suite].cases[index].variables
    }
    return value
  }

  /// Returns a run whose test cases have no variables, and the removed variables, indexed by suite
  /// and test case.
  private static func withoutVariables(_ run: JSONValue) -> (JSONValue, [[JSONValue]]) {
    var value = run
    var variables: [[JSONValue]] = []
    value.mapCases { suite, index, members in
      while variables.count <= suite { variables.append([]) }
      while variables[suite].count <= index { variables[suite].append(.null) }
      variables[suite][index] = members["variables"] ?? .null
      members["variables"] = .null
    }
    return (value, variables)
  }
}

extension JSONValue {
  /// Changes the members of every test case in a run.
  fileprivate mutating func mapCases(_ change: (Int, Int, inout JSONObject) -> Void) {
    guard var run = object, var suites = run["suites"]?.array else { return }
    for (suiteIndex, suiteValue) in suites.enumerated() {
      guard var suite = suiteValue.object, var cases = suite["cases"]?.array else { continue }
      for (index, caseValue) in cases.enumerated() {
        guard var members = caseValue.object else { continue }
        change(suiteIndex, index, &members)
        cases[index] = .object(members)
      }
      suite["cases"] = .array(cases)
      suites[suiteIndex] = .object(suite)
    }
    run["suites"] = .array(suites)
    self = .object(run)
  }
}
