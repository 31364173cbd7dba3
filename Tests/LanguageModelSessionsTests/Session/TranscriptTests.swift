import Foundation
import GuidedGeneration
import LanguageModelSessions
import StructuredText
import Testing

@Suite("Transcripts")
struct TranscriptTests {
  private static let schema: JSONValue = [
    "additionalProperties": false, "properties": ["n": ["type": "integer"]], "required": ["n"],
    "title": "Count", "type": "object", "x-order": ["n"],
  ]

  private static let document: JSONValue = [
    "type": "FoundationModels.Transcript", "version": 1,
    "transcript": [
      "entries": [
        [
          "role": "instructions", "id": "a",
          "contents": [["type": "text", "text": "Count.", "id": "a1"]],
          "tools": [
            [
              "type": "function",
              "function": ["name": "add", "description": "Adds", "parameters": schema],
            ]
          ],
        ],
        [
          "role": "user", "id": "b",
          "contents": [["type": "text", "text": "How many?", "id": "b1"]],
          "options": ["temperature": 0.5, "topK": 40, "randomSeed": 7],
          "responseFormat": [
            "type": "jsonSchema", "jsonSchema": ["name": "Count", "schema": schema],
          ],
        ],
        [
          "role": "response", "id": "c",
          "toolCalls": [["id": "c1", "name": "add", "arguments": "{\"n\":1}"]],
        ],
        [
          "role": "tool", "id": "c1", "toolName": "add", "toolCallID": "c1",
          "contents": [["type": "text", "text": "2", "id": "d1"]],
        ],
        [
          "role": "response", "id": "e", "assets": ["model.a"],
          "contents": [
            [
              "type": "structure", "id": "0",
              "structure": ["source": "Count", "content": ["n": 2]],
            ]
          ],
        ],
      ]
    ],
  ]

  @Test("reading a transcript and writing it back gives an equal document")
  func identity() throws {
    let transcript = try Transcript(json: Self.document)
    #expect(transcript.json == Self.document)
    #expect(transcript.count == 5)
    let data = try JSONEncoder().encode(transcript)
    #expect(try JSONDecoder().decode(Transcript.self, from: data) == transcript)
  }

  @Test("the parts of a transcript are decoded correctly")
  func parts() throws {
    let transcript = try Transcript(json: Self.document)
    guard case .prompt(let prompt) = transcript[1], case .toolCalls(let calls) = transcript[2],
      case .response(let response) = transcript[4]
    else {
      Issue.record("the entries have the wrong kinds: \(transcript)")
      return
    }
    #expect(prompt.options.sampling == .random(top: 40, seed: 7))
    #expect(prompt.responseFormat?.name == "Count")
    #expect(try calls[0].arguments.value(Int.self, forProperty: "n") == 1)
    #expect(response.assetIDs == ["model.a"])
  }

  static let wrong: [(JSONValue, String)] = [
    ([:], "type"), (["type": "FoundationModels.Transcript"], "transcript.entries"),
    (entry(["role": "alien", "id": "a"]), "transcript.entries[0].role"),
    (entry(["role": "user"]), "transcript.entries[0].id"),
    (
      entry(["role": "user", "id": "a", "contents": [["type": "alien"]]]),
      "transcript.entries[0].contents[0].type"
    ),
    (
      entry([
        "role": "response", "id": "a", "toolCalls": [["id": "b", "name": "c", "arguments": "{"]],
      ]), "transcript.entries[0].toolCalls[0].arguments"
    ),
  ]

  private static func entry(_ json: JSONValue) -> JSONValue {
    ["type": "FoundationModels.Transcript", "transcript": ["entries": [json]]]
  }

  @Test("the error for an invalid transcript gives the path of the problem", arguments: wrong)
  func refused(json: JSONValue, path: String) {
    #expect {
      try Transcript(json: json)
    } throws: { error in
      (error as? TranscriptProblem)?.path == path
    }
  }

  @Test(
    "options are unchanged after they are written and read back",
    arguments: [
      GenerationOptions(), GenerationOptions(sampling: .greedy),
      GenerationOptions(
        samplingMode: .random(probabilityThreshold: 0.9, seed: .max), temperature: 0.25,
        maximumResponseTokens: 10, toolCallingMode: .required),
    ])
  func options(options: GenerationOptions) throws {
    let entry = Transcript.Entry.prompt(.init(id: "a", segments: [], options: options))
    #expect(try Transcript(json: Transcript(entries: [entry]).json).first == entry)
  }
}
