import EvalRecords
import StructuredText

/// Converts token traces to and from JSON.
///
/// The format is compact, because a trace is by far the largest part of an attempt.
///
/// Each step is an array `[text, path, forced, legal, kept, [candidate, …]]`. Each candidate is an
/// array `[text, raw, sampled, allowed]`. Flags are 0 or 1. If the trace has the entropies before
/// and after the mask, the entropies follow, in bits: `…, raw, masked]`.
enum TraceText {
  static func text(of steps: [TokenStep]) -> String {
    JSONValue.array(
      steps.map { step in
        let entropies = [step.rawEntropy, step.maskedEntropy].compactMap { $0 }.map(number)
        return .array(
          [
            .string(step.text), .string(step.path), flag(step.isForced),
            .number(JSONNumber(step.legalCount)), number(step.keptMass),
            .array(
              step.candidates.map {
                .array([
                  .string($0.text), number($0.raw), number($0.sampled), flag($0.isAllowed),
                ])
              }),
          ] + (entropies.count == 2 ? entropies : []))
      }
    ).compactText
  }

  static func steps(from text: String, path: String) throws -> [TokenStep] {
    let unreadable = StoreError(
      .unreadableRecord, path: path, reason: "a token trace doesn't have the expected form")
    guard let steps = (try? JSONValue(parsing: text))?.array else { throw unreadable }
    return try steps.map { step in
      guard let parts = step.array, parts.count == 6 || parts.count == 8,
        let text = parts[0].string,
        let path = parts[1].string, let legal = parts[3].int, let candidates = parts[5].array
      else { throw unreadable }
      return TokenStep(
        text: text, path: path, isForced: parts[2].int == 1, legalCount: legal,
        keptMass: double(parts[4]), rawEntropy: parts.count == 8 ? double(parts[6]) : nil,
        maskedEntropy: parts.count == 8 ? double(parts[7]) : nil,
        candidates: try candidates.map { candidate in
          guard let parts = candidate.array, parts.count == 4, let text = parts[0].string else {
            throw unreadable
          }
          return TokenCandidate(
            text: text, raw: double(parts[1]), sampled: double(parts[2]),
            isAllowed: parts[3].int == 1)
        })
    }
  }

  private static func flag(_ value: Bool) -> JSONValue { .number(JSONNumber(value ? 1 : 0)) }

  /// Returns a number as JSON, in which infinities and NaN become strings, because JSON can't
  /// express them.
  private static func number(_ value: Double) -> JSONValue {
    value.isFinite ? .number(JSONNumber(value)) : .string("\(value)")
  }

  private static func double(_ value: JSONValue) -> Double {
    value.double ?? value.string.flatMap(Double.init) ?? .nan
  }
}
