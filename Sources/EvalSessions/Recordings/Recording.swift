import Backends
import StructuredText

/// A prompt from a session's transcript or a log, with its answer.
package struct Recording: Sendable, Equatable {
  /// The answer's location: in a transcript, the file and the number of the prompt; in a log, the
  /// file, the line and the column.
  package var place: String
  /// The prompt.
  package var prompt: String
  /// The values of the prompt's variables, if the log contains them instead of the prompt.
  package var variables: JSONObject?
  /// The other members of the line of the log, which may be values of variables.
  package var others = JSONObject()
  /// The answer, which is JSON if it is structured, or `nil` if the prompt has no answer.
  package var output: String?
  /// The instructions before the prompt, or `nil` if there are none.
  package var instructions: String?
  /// The schema of the answer, as JSON, or `nil` if the prompt names none.
  package var schema: String?
  /// The name of the schema.
  package var schemaName: String?
  /// The facts about the answer: its failure, its model, its seed and more.
  package var facts = RecordedFacts()

  /// Returns the prompts of a transcript in Apple's JSON format, with their answers.
  ///
  /// The result includes prompts without an answer; leaving them out would flatter the model.
  ///
  /// - Parameters:
  ///   - document: The transcript.
  ///   - file: The file that the transcript comes from.
  /// - Throws: `RecordedExchange.Problem` with the invalid part of the transcript.
  package static func recordings(
    in document: JSONValue, of file: String
  ) throws(RecordedExchange.Problem) -> [Recording] {
    // `fm` saves a transcript together with the name of the model.
    let isSaved = document["transcript"]?["type"] != nil
    let transcript = isSaved ? document["transcript"] ?? document : document
    return try RecordedExchange.exchanges(in: transcript).enumerated().map { number, exchange in
      var recording = Recording(
        LoggedAnswer(
          place: "\(file), prompt \(number + 1)", question: .prompt(exchange.prompt),
          output: exchange.answer, instructions: exchange.instructions))
      recording.facts = RecordedFacts(
        prompt: exchange.promptEntry, response: exchange.answerEntry)
      if isSaved { recording.facts.model = document["modelName"]?.string }
      if let schema = exchange.schema {
        recording.schema = schema.compactText
        recording.schemaName = exchange.schemaName
        recording.facts.schema = schema
      }
      return recording
    }
  }

  /// Creates a recording of a logged answer.
  package init(_ answer: LoggedAnswer) {
    place = answer.place
    others = answer.others
    output = answer.output
    instructions = answer.instructions
    facts = answer.facts
    schema = answer.facts.schema?.compactText
    schemaName = answer.facts.schema?["title"]?.string
    switch answer.question {
    case .prompt(let text): prompt = text
    case .input(.object(let values)):
      prompt = JSONValue.object(values).compactText
      variables = values
    case .input(let value):
      prompt = value.string ?? value.compactText
      variables = ["input": value]
    }
  }
}
