import Foundation
import LocalModels
import StructuredText
import Tokenization

/// `assay-benchmark logits` and `assay-benchmark tokenize`: print a model's logits and tokens as
/// JSON, to compare them with another program's.
enum ModelProbes {
  static let logitsUsage = "--model FILE --tokens 1,365,… --rows 0,1,15 [--instructions SET]"
  static let tokenizeUsage = "--model FILE < strings.json"

  /// Prints a model's logits as an array of rows.
  ///
  /// Each row contains the float32 logits after the token at one position.
  static func logits(_ arguments: [String]) throws {
    let sets = InstructionSet.allCases.filter(\.isSupported)
    let usage = BenchmarkError.usage(
      "assay-benchmark logits \(logitsUsage); "
        + "SET is one of \(sets.map(\.rawValue).joined(separator: ", "))")
    let values = try options(arguments, usage)
    guard let path = values["--model"], let tokens = numbers(values["--tokens"]), !tokens.isEmpty,
      let rows = numbers(values["--rows"]),
      let set = values["--instructions"].map({ InstructionSet(rawValue: $0) }) ?? .best,
      sets.contains(set), values.keys.allSatisfy(names.contains)
    else { throw usage }
    guard rows.allSatisfy(tokens.indices.contains) else {
      throw BenchmarkError.usage("--rows: positions from 0 to \(tokens.count - 1)")
    }
    let model = try LocalModel(path: path)
    let limit = model.info.vocabularySize
    guard tokens.allSatisfy({ $0 < limit }), tokens.count <= model.info.contextLength else {
      throw BenchmarkError.usage(
        "--tokens: up to \(model.info.contextLength) numbers from 0 to \(limit - 1)")
    }
    let logits = try model.logits(
      tokens: tokens.map { TokenID($0) }, rows: rows, instructionSet: set)
    // A float's description parses back to the same float. JSON can't express infinity and NaN, so
    // they become null.
    let lines = logits.map { row in
      "[" + row.map { $0.isFinite ? "\($0)" : "null" }.joined(separator: ",") + "]"
    }
    print("[" + lines.joined(separator: ",\n") + "]")
  }

  /// Reads an array of strings and prints an array of token lists, without begin tokens.
  ///
  /// If a string contains the name of a control token, the name counts as ordinary text.
  static func tokenize(_ arguments: [String]) throws {
    let usage = BenchmarkError.usage("assay-benchmark tokenize \(tokenizeUsage)")
    let values = try options(arguments, usage)
    guard let path = values["--model"], values.count == 1 else { throw usage }
    let tokenizer = try LocalModel.tokenizer(path: path)
    let input = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    let malformed = BenchmarkError.malformed(
      file: "standard input", offset: 0, expected: "a JSON array of strings")
    guard case .array(let items) = try JSONValue(parsing: input) else { throw malformed }
    let lines = try items.map { item in
      guard case .string(let text) = item else { throw malformed }
      return "[" + tokenizer.encode(text).map(String.init).joined(separator: ",") + "]"
    }
    print("[" + lines.joined(separator: ",\n") + "]")
  }

  private static let names = ["--model", "--tokens", "--rows", "--instructions"]

  static func options(
    _ arguments: [String], _ usage: BenchmarkError
  ) throws -> [String: String] {
    guard arguments.count.isMultiple(of: 2) else { throw usage }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: arguments.count, by: 2) {
      guard values.updateValue(arguments[index + 1], forKey: arguments[index]) == nil else {
        throw usage
      }
    }
    return values
  }

  private static func numbers(_ text: String?) -> [Int]? {
    guard let text else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int32($0).flatMap { $0 >= 0 ? Int($0) : nil } }
    return numbers.count == parts.count ? numbers : nil
  }
}
