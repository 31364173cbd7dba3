public import EvalRecords
import GuidedGeneration
public import StructuredText
import Synchronization

/// Parses answers, and checks them against one schema.
///
/// Servers, recordings and stubs may return answers that weren't generated under a mask, so the
/// reader checks every answer.
public final class AnswerReader: Sendable {
  /// The result of reading an output.
  public struct Reading: Sendable, Hashable {
    /// The parsed value, or `nil` if there is none.
    ///
    /// If the answer was cut off, the value is the part that arrived before the cut.
    public var value: JSONValue?
    /// The path of the innermost value that was still being written when the answer was cut off, or
    /// `nil` if the answer is complete.
    public var cut: JSONPlace?
    /// The reason why the output is not a valid value of the schema, or `nil` if it is valid or was
    /// cut off.
    public var failure: AttemptFailure?
  }

  private let check: Mutex<SchemaCheck?>
  private let isText: Bool

  /// Creates a reader.
  ///
  /// - Parameter schema: The JSON text of the schema, as it appears in requests. If the text can't
  ///   be parsed as a schema, the reader doesn't check the answers.
  public convenience init(schema: String) {
    self.init(try? GenerationSchema(json: JSONValue(parsing: schema)))
  }

  init(_ schema: GenerationSchema?) {
    check = Mutex(schema.map { SchemaCheck(schema: $0) })
    let shapes = schema.map { $0.shapes(of: $0.root) } ?? []
    isText =
      !shapes.isEmpty && shapes.allSatisfy { if case .string = $0 { true } else { false } }
  }

  /// Returns the reason why answers can't be checked against a schema, or `nil` if they can.
  ///
  /// - Parameter schema: The JSON text of the schema.
  public static func obstacle(to schema: String) -> String? {
    do {
      _ = try GenerationSchema(json: JSONValue(parsing: schema), options: .judging())
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Reads a complete answer.
  ///
  /// If the schema allows only strings, an output that isn't JSON is read as plain text, provided
  /// that this text matches the schema. JSON is never read as plain text, not even a number:
  /// backends answer in JSON, and the same text must get the same verdict from each of them.
  public func read(_ output: String) -> Reading {
    do throws(StructuredTextError) {
      let value = try JSONValue(parsingAnswer: output)
      let failure = mismatch(of: value).map {
        AttemptFailure(kind: .schemaMismatch, message: $0.description)
      }
      return Reading(value: value, failure: failure)
    } catch {
      if isText, !output.isEmpty, mismatch(of: .string(output)) == nil {
        return Reading(value: .string(output))
      }
      return Reading(
        failure: AttemptFailure(kind: .malformedOutput, message: "not JSON: \(error)"))
    }
  }

  /// Reads the part of an answer that arrived before the answer was cut off.
  public func readBeginning(_ output: String) -> Reading {
    guard let content = try? GeneratedContent(json: output) else {
      // The output is plain text, or isn't the beginning of JSON, so the place of the cut is
      // unknown.
      return Reading(value: isText ? .string(output) : nil, cut: .root)
    }
    return Reading(value: content.jsonValue, cut: JSONPlace(steps: content.openSteps))
  }

  private func mismatch(of value: JSONValue) -> SchemaMismatch? {
    check.withLock { $0?.mismatch(of: value) }
  }
}

extension GeneratedContent {
  /// The steps of the path to the innermost incomplete value.
  fileprivate var openSteps: [JSONPlace.Step] {
    switch kind {
    case .array(let elements):
      if let last = elements.last, !last.isComplete {
        return [.index(elements.count - 1)] + last.openSteps
      }
    case .structure(let properties, let keys):
      if let key = keys.last, let last = properties[key], !last.isComplete {
        return [.name(key)] + last.openSteps
      }
    default: break
    }
    return []
  }
}
