import ConstrainedDecoding
import EvalRecords
import Foundation
import GuidedGeneration
import StructuredText
import Tokenization

/// Compiles the schemas of public collections and tests their instances, for
/// `scripts/check/schemas`.
///
/// A file is a schema, an object with `schema` and `tests` (MaskBench), or an array of such objects
/// (JSON-Schema-Test-Suite). For each schema, the survey prints one line of JSON. The line says
/// whether the schema compiles or why it doesn't, how many milliseconds the schema took, and how
/// many valid and invalid instances the grammar accepts and rejects.
///
/// A grammar fixes the order of keys, so an instance counts as accepted if the grammar accepts it
/// with its keys in at least one order. With `--extra-keys`, the grammar allows every key that the
/// schema accepts. With `--formats`, it enforces `format`. With `--values`, the line also contains
/// three random values from the grammar, for `scripts/check/fuzz-schemas`.
struct SchemaSurvey {
  static let usage = "schemas [--extra-keys] [--formats] [--values] PATH…"

  /// The number of random values for each schema.
  private static let values = 3

  private let paths: [String]
  private var options = SchemaReadOptions()
  private let givesValues: Bool

  init(_ arguments: [String]) throws {
    paths = arguments.filter { !$0.hasPrefix("--") }
    options.offersExtraKeys = arguments.contains("--extra-keys")
    options.enforcesFormats = arguments.contains("--formats")
    options.searchesPatterns = true
    givesValues = arguments.contains("--values")
    if paths.isEmpty { throw BenchmarkError.usage("assay-benchmark " + Self.usage) }
  }

  func run() throws {
    let bytes = (UInt8.min...UInt8.max).map { [$0] }
    let vocabulary = Vocabulary(
      tokens: [[]] + bytes, kinds: [.special] + bytes.map { _ in .text }, endTokens: [0])
    let table = TokenTable(vocabulary: vocabulary)
    for file in paths.flatMap(files).sorted() {
      guard let data = FileManager.default.contents(atPath: file),
        let json = try? JSONValue(parsing: String(decoding: data, as: UTF8.self))
      else {
        print(JSONValue.object(["file": .string(file), "status": "unreadable"]).compactText)
        continue
      }
      for (number, item) in items(of: json).enumerated() {
        var line: JSONObject = ["file": .string(file), "number": .number(JSONNumber(number))]
        survey(item.schema, tests: item.tests, table, &line)
        print(JSONValue.object(line).compactText)
      }
    }
  }

  private func files(_ path: String) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
      let names = FileManager.default.enumerator(atPath: path)
    else { return [path] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }
      .map { path + "/" + $0 }
  }

  private func items(of json: JSONValue) -> [(schema: JSONValue, tests: [JSONValue])] {
    if let array = json.array {
      return array.compactMap { item in
        item["schema"].map { ($0, item["tests"]?.array ?? []) }
      }
    }
    if let schema = json["schema"], let tests = json["tests"]?.array { return [(schema, tests)] }
    return [(json, [])]
  }

  private func survey(
    _ schema: JSONValue, tests: [JSONValue], _ table: TokenTable, _ line: inout JSONObject
  ) {
    let begin = Measuring.now()
    defer {
      line["ms"] = .number(JSONNumber(Double((Measuring.now() - begin) / 1000) / 1000))
    }
    let automaton: TokenAutomaton
    let ranks: [String: Int]
    do {
      let read = try GenerationSchema(json: schema, options: options)
      automaton = try CompiledGrammar(schema: read, table: table).makeAutomaton()
      ranks = Self.ranks(of: read)
    } catch {
      line["status"] = error is GrammarError ? "grammar" : "refused"
      line["reason"] = .string("\(error)")
      return
    }
    line["status"] = "ok"
    line["compileMs"] = .number(JSONNumber(Double((Measuring.now() - begin) / 1000) / 1000))
    if givesValues {
      var random = SplitMix(seed: 1)
      let values = (0..<Self.values).compactMap { _ in RandomWalk.text(automaton, &random) }
      line["values"] = .array(values.map { .string($0) })
    }
    var counts: [String: Int] = [:]
    var wrong: [JSONValue] = []
    for (number, test) in tests.enumerated() {
      guard let isValid = test["valid"]?.bool, let value = test["data"] else { continue }
      var trial = InstanceTrial(ranks: ranks)
      let isAccepted = trial.accepts(value, Matcher(automaton))
      if trial.budget <= 0 {
        counts["undecided", default: 0] += 1
        continue
      }
      let name = (isValid ? "valid" : "invalid") + (isAccepted ? "Accepted" : "Rejected")
      counts[name, default: 0] += 1
      if isValid != isAccepted { wrong.append(.number(JSONNumber(number))) }
    }
    for (name, count) in counts { line[name] = .number(JSONNumber(count)) }
    if !wrong.isEmpty { line["wrong"] = .array(wrong) }
  }

  /// Numbers the property names in the order in which the schema first declares them.
  private static func ranks(of schema: GenerationSchema) -> [String: Int] {
    var ranks: [String: Int] = [:]
    var open = [schema.root] + schema.definitions.map(\.node)
    open.reverse()
    while let node = open.popLast() {
      if case .object(let object) = node {
        for property in object.properties where ranks[property.name] == nil {
          ranks[property.name] = ranks.count
        }
      }
      open += node.children.reversed()
    }
    return ranks
  }
}

/// A search for an order of a value's keys that a grammar accepts.
private struct InstanceTrial {
  /// The rank of each key.
  ///
  /// The search tries keys with lower ranks first.
  let ranks: [String: Int]
  /// The number of tries left; each attempt to write a key or to spell a number is one try.
  var budget = 10_000

  mutating func accepts(_ value: JSONValue, _ matcher: Matcher) -> Bool {
    write(value, matcher) { _, matcher in matcher.isComplete }
  }

  private typealias Rest = (inout InstanceTrial, Matcher) -> Bool

  private mutating func write(_ value: JSONValue, _ matcher: Matcher, _ rest: Rest) -> Bool {
    switch value {
    case .null: return write("null", matcher, rest)
    case .bool(let flag): return write(flag ? "true" : "false", matcher, rest)
    case .string(let text): return write(JSONTextWriter.quoted(text), matcher, rest)
    case .number(let number):
      var spellings = [number.text]
      for text in [number.canonicalText, number.int.map { String($0) }].compactMap(\.self)
      where !spellings.contains(text) { spellings.append(text) }
      for text in spellings {
        budget -= 1
        if budget <= 0 { return false }
        if write(text, matcher, rest) { return true }
      }
      return false
    case .array(let elements):
      var matcher = matcher
      guard matcher.accept(bytes: "[".utf8) else { return false }
      return write(elements[...], isFirst: true, matcher, rest)
    case .object(let object):
      var matcher = matcher
      guard matcher.accept(bytes: "{".utf8) else { return false }
      let members = object.members.enumerated().sorted { left, right in
        (ranks[left.element.key] ?? .max, left.offset)
          < (ranks[right.element.key] ?? .max, right.offset)
      }
      return write(members.map(\.element), isFirst: true, matcher, rest)
    }
  }

  private mutating func write(_ text: String, _ matcher: Matcher, _ rest: Rest) -> Bool {
    var matcher = matcher
    return matcher.accept(bytes: text.utf8) && rest(&self, matcher)
  }

  private mutating func write(
    _ elements: ArraySlice<JSONValue>, isFirst: Bool, _ matcher: Matcher, _ rest: Rest
  ) -> Bool {
    var matcher = matcher
    guard let element = elements.first else { return write("]", matcher, rest) }
    if !isFirst, !matcher.accept(bytes: ",".utf8) { return false }
    return write(element, matcher) { trial, matcher in
      trial.write(elements.dropFirst(), isFirst: false, matcher, rest)
    }
  }

  private mutating func write(
    _ members: [JSONObject.Member], isFirst: Bool, _ matcher: Matcher, _ rest: Rest
  ) -> Bool {
    if members.isEmpty { return write("}", matcher, rest) }
    for (position, member) in members.enumerated() {
      budget -= 1
      if budget <= 0 { return false }
      var next = matcher
      let key = (isFirst ? "" : ",") + JSONTextWriter.quoted(member.key) + ":"
      guard next.accept(bytes: key.utf8) else { continue }
      var others = members
      others.remove(at: position)
      let isAccepted = write(member.value, next) { trial, matcher in
        trial.write(others, isFirst: false, matcher, rest)
      }
      if isAccepted { return true }
    }
    return false
  }
}
