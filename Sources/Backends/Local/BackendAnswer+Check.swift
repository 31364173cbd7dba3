import EvalRecords
import GuidedGeneration
import StructuredText

extension BackendAnswer {
  /// The answer with what is wrong with it where no mask held it to its schema.
  ///
  /// - Parameter schema: The schema.
  func checked(against schema: GenerationSchema) -> BackendAnswer {
    guard failure == nil else { return self }
    var answer = self
    do {
      if let mismatch = schema.mismatch(of: try JSONValue(parsing: output)) {
        answer.failure = AttemptFailure(
          kind: .schemaMismatch, message: "the answer doesn't keep to its schema: \(mismatch)")
      }
    } catch {
      answer.failure = AttemptFailure(
        kind: .malformedOutput, message: "the answer is not JSON: \(error)")
    }
    return answer
  }
}
