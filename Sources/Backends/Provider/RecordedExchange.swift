import GuidedGeneration
import LanguageModelSessions
import StructuredText

/// A prompt in a session's transcript, with its answer.
package struct RecordedExchange {
  /// The error for a document that isn't a transcript, with the place of the mistake.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// The prompt.
  package let prompt: String
  /// The answer, which is JSON if it is structured, or `nil` if the prompt has no answer.
  package let answer: String?
  /// The instructions before the prompt, or `nil` if there are none.
  package let instructions: String?
  /// The schema of the answer, or `nil` if the prompt names none.
  package let schema: JSONValue?
  /// The name of the schema.
  package let schemaName: String?
  /// The transcript's entry with the prompt.
  package let promptEntry: JSONValue
  /// The transcript's entry with the answer, or `nil` if there is none.
  package let answerEntry: JSONValue?

  private init(
    _ prompt: Transcript.Prompt, _ promptEntry: JSONValue, answer: String? = nil,
    _ answerEntry: JSONValue? = nil, instructions: String?
  ) {
    self.prompt = Self.text(prompt.segments)
    self.promptEntry = promptEntry
    (self.answer, self.answerEntry) = (answer, answerEntry)
    self.instructions = instructions
    if case .schema(let schema) = prompt.responseFormat?.kind {
      self.schema = schema.json
      schemaName = prompt.responseFormat?.name
    } else {
      (schema, schemaName) = (nil, nil)
    }
  }

  /// Returns the prompts of a transcript in Apple's JSON format, with their answers.
  ///
  /// The result includes prompts without an answer; leaving them out would flatter the model.
  package static func exchanges(in transcript: JSONValue) throws(Problem) -> [RecordedExchange] {
    let read: Transcript
    do throws(TranscriptProblem) {
      read = try Transcript(json: transcript)
    } catch {
      throw Problem(description: error.description)
    }
    let entries = transcript["transcript"]?["entries"]?.array ?? []
    var exchanges: [RecordedExchange] = []
    var instructions: String?
    var asked: (prompt: Transcript.Prompt, entry: JSONValue)?
    for (entry, json) in zip(read, entries) {
      switch entry {
      case .instructions(let entry): instructions = text(entry.segments)
      case .prompt(let entry):
        if let asked {
          exchanges.append(Self(asked.prompt, asked.entry, instructions: instructions))
        }
        asked = (entry, json)
      case .response(let entry):
        guard let answered = asked else { continue }
        asked = nil
        exchanges.append(
          Self(
            answered.prompt, answered.entry, answer: text(entry.segments), json,
            instructions: instructions))
      default: continue
      }
    }
    if let asked { exchanges.append(Self(asked.prompt, asked.entry, instructions: instructions)) }
    return exchanges
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
