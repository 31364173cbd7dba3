import ConstrainedDecoding
import EvalFindings
import EvalSessions
import GuidedGeneration
import LocalModels
import StructuredText
import Tokenization

/// The output of `assay schema mask`: the tokens that are legal after the beginning of a value.
struct MaskListing {
  private let prefix: String
  private let inquiry: PrefixInquiry
  private let vocabulary: Vocabulary
  private let limit: Int

  init(
    _ schema: GenerationSchema, path: String, _ options: GrammarOptions,
    _ arguments: ParsedArguments, _ context: ProgramContext
  ) throws {
    prefix = try arguments[SchemaCommand.prefix] ?? ""
    limit = try arguments[SchemaCommand.limit] ?? 50
    let model = try BackendFactory.modelPath(arguments[SchemaCommand.model], in: context.evaluation)
    do {
      vocabulary = try LocalModel(path: model).vocabulary
    } catch {
      throw SessionFailure(.cannotRun, String(describing: error))
    }
    let table = TokenTable(vocabulary: vocabulary, dialect: options.dialect)
    do {
      let automaton = try CompiledGrammar(schema: schema, table: table, options: options)
        .makeAutomaton()
      inquiry = try PrefixInquiry(after: prefix.utf8, in: automaton)
    } catch let mismatch as PrefixInquiry.Mismatch {
      throw SessionFailure(.usage, "--prefix: \(mismatch)")
    } catch {
      throw SessionFailure(.usage, "\(path): \(error)")
    }
  }

  /// Returns the listing as text or JSON.
  func text(isJSON: Bool) -> String {
    isJSON ? json.prettyText + "\n" : lines.joined(separator: "\n") + "\n"
  }

  private var lines: [String] {
    let mask = inquiry.mask
    let count = mask.count == 1 ? "1 token is legal" : "\(mask.count) tokens are legal"
    var lines = [
      "\(count) at \(inquiry.path), out of \(vocabulary.count)"
        + (inquiry.isComplete ? "; the value is complete here" : "")
    ]
    if !inquiry.forced.isEmpty {
      lines.append(
        "forced next: \(VisibleText.line(String(decoding: inquiry.forced, as: UTF8.self)))")
    }
    let tokens = mask.tokens
    let width = max(2, String(vocabulary.count).count)
    for token in tokens.prefix(limit) {
      let number = String(token)
      let padding = String(repeating: " ", count: width - number.count)
      lines.append("  \(padding)\(number)  \(spelling(of: token))")
    }
    if tokens.count > limit { lines.append("  … and \(tokens.count - limit) more (--limit)") }
    return lines
  }

  /// Returns a token's text, or its bytes in hexadecimal if it contains incomplete characters.
  private func spelling(of token: TokenID) -> String {
    if vocabulary.endTokens.contains(token) { return "(ends the text)" }
    let bytes = Array(vocabulary.bytes(of: token))
    guard let text = String(validating: bytes, as: UTF8.self) else { return "bytes \(hex(bytes))" }
    return JSONValue.string(text).compactText
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private var json: JSONValue {
    let tokens = inquiry.mask.tokens.map { token -> JSONValue in
      let bytes = Array(vocabulary.bytes(of: token))
      return .object(
        JSONObject([
          (key: "id", value: .number(JSONNumber(Int(token)))),
          (key: "bytes", value: .string(hex(bytes))),
          (key: "text", value: .string(String(decoding: bytes, as: UTF8.self))),
          (key: "ends", value: .bool(vocabulary.endTokens.contains(token))),
        ]))
    }
    return .object(
      JSONObject([
        (key: "prefix", value: .string(prefix)), (key: "path", value: .string(inquiry.path)),
        (key: "count", value: .number(JSONNumber(inquiry.mask.count))),
        (key: "isComplete", value: .bool(inquiry.isComplete)),
        (key: "isForced", value: .bool(!inquiry.forced.isEmpty)),
        (key: "forced", value: .string(String(decoding: inquiry.forced, as: UTF8.self))),
        (key: "tokens", value: .array(tokens)),
      ]))
  }
}
