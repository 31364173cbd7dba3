import EvalRecords
import GuidedGeneration
import StructuredText

extension BackendAnswer {
  /// Returns an answer that was generated without a mask, with a failure if it doesn't match its
  /// schema.
  ///
  /// - Parameter schema: The schema.
  func checked(against schema: GenerationSchema) -> BackendAnswer {
    guard failure == nil else { return self }
    var answer = self
    do {
      if let mismatch = schema.mismatch(of: try JSONValue(parsingAnswer: output)) {
        answer.failure = AttemptFailure(
          kind: .schemaMismatch, message: "the answer doesn't match its schema: \(mismatch)")
      }
    } catch {
      answer.failure = AttemptFailure(
        kind: .malformedOutput, message: "the answer is not JSON: \(error)")
    }
    return answer
  }
}
