import GuidedGeneration
import StructuredText

/// One answer that a session's transcript holds, with what it was the answer to.
package struct Recording: Sendable, Equatable {
  /// Where it stands: the file and the answer's number, from one.
  package var place: String
  /// The prompt.
  package var prompt: String
  /// The answer: JSON where it is structured.
  package var output: String
  /// The instructions before it; nil where there are none.
  package var instructions: String?
  /// The schema that the answer keeps to, as JSON; nil where the prompt names none.
  package var schema: String?
  /// The name of the schema.
  package var schemaName: String?

  /// The answers of a transcript in Apple's JSON.
  ///
  /// - Parameters:
  ///   - document: The transcript.
  ///   - file: Where it comes from.
  /// - Throws: What is no transcript in it.
  package static func recordings(
    in document: JSONValue, of file: String
  ) throws(TranscriptProblem) -> [Recording] {
    var recordings: [Recording] = []
    var instructions: String?
    var prompt: Transcript.Prompt?
    for entry in try Transcript(json: document) {
      switch entry {
      case .instructions(let entry): instructions = text(entry.segments)
      case .prompt(let entry): prompt = entry
      case .response(let entry):
        guard let asked = prompt else { continue }
        prompt = nil
        var recording = Recording(
          place: "\(file), answer \(recordings.count + 1)", prompt: text(asked.segments),
          output: text(entry.segments), instructions: instructions)
        if case .schema(let schema) = asked.responseFormat?.kind {
          recording.schema = schema.json.compactText
          recording.schemaName = asked.responseFormat?.name
        }
        recordings.append(recording)
      default: continue
      }
    }
    return recordings
  }

  private static func text(_ segments: [Transcript.Segment]) -> String {
    segments.map { segment in
      switch segment {
      case .text(let text): text.content
      case .structure(let structure): structure.content.jsonString
      default: ""
      }
    }.joined()
  }
}
