import Foundation
import Testing

@testable import LocalModels

/// Compares prompts with what Jinja makes of the same templates
/// (`scripts/models/template-references`).
@Suite("Chat templates")
struct ChatTemplateTests {
  struct Reference: Decodable, CustomTestStringConvertible {
    struct Conversation: Decodable {
      var system: String
      var earlier: [String]
      var user: String
      var rendered: String
    }
    var name: String
    var template: String
    var conversations: [Conversation]

    var testDescription: String { name }
  }

  static let references: [Reference] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("References/chat-templates.json")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([Reference].self, from: data)) ?? []
  }()

  @Test("there are reference texts of the templates")
  func hasReferences() {
    #expect(Self.references.count > 10)
    #expect(Self.references.allSatisfy { $0.conversations.count > 5 })
  }

  @Test(
    "the default system turn and the white space of texts are those of the template",
    arguments: references)
  func rendering(_ reference: Reference) throws {
    let template = try #require(ChatTemplate(source: reference.template))
    for conversation in reference.conversations {
      let earlier = conversation.earlier.enumerated().map { number, text in
        ChatTurn(number % 2 == 0 ? .user : .assistant, text)
      }
      let pieces = template.render(
        system: conversation.system, earlier: earlier, user: conversation.user)
      let written = pieces.map(\.written).joined()
      #expect(Array(written.utf8) == Array(conversation.rendered.utf8), "\(written)")
    }
  }

  @Test(
    "only a fixed system turn that the template writes without tools is the default",
    arguments: [
      ("{{ '<|im_start|>system\\nA' + 'B' + '<|im_end|>' }}", "AB"),
      ("{{'<|im_start|>system\\n'}}{{ \"A\\\"B\" }}\n{{'<|im_end|>'}}", "A\"B"),
      ("{% if tools %}{{ '<|im_start|>system\\nT<|im_end|>' }}{% else %}x{% endif %}", ""),
      (
        "{% if tools %}{{ '<|im_start|>system\\nT<|im_end|>' }}{% else %}"
          + "{{ '<|im_start|>system\\nA<|im_end|>' }}{% endif %}", "A"
      ),
      ("{% if not tools %}{{ '<|im_start|>system\\nA<|im_end|>' }}{% endif %}", "A"),
      ("{{ '<|im_start|>system\\n' + date + '<|im_end|>' }}", ""),
      ("{{ '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>' }}", ""),
      ("{% if x %}{{ '<|im_start|>system\\n' }}{% endif %}{{ 'A<|im_end|>' }}", ""),
      ("{% set system_message = 'A' + today %}<|im_start|>", ""),
      ("{% set system_message = '' %}<|im_start|>", ""),
      ("{{ '<|im_start|>system\\n<|im_end|>' }}", ""),
      ("<|im_start|>system\nA<|im_end|>", "A"),
      ("{# {{ '<|im_start|>system\\nA<|im_end|>' }} #}<|im_start|>", ""),
    ])
  func defaults(source: String, system: String) {
    #expect(ChatTemplate(source: source)?.defaultSystem == system, "\(source)")
  }

  @Test("a hostile template is read in one pass, and ends nowhere unexpected")
  func hostile() {
    let mark = "<|im_start|>"
    let sources = [
      "{{ '\(mark)", "{{ '\\", "{%", "{#", "{", "{{ '\(mark)system\\n", "{{ \"", "{% if", "{%}",
      "{{}",
      mark + String(repeating: "{% if tools %}{{ 'a' }}", count: 20_000),
      mark + String(repeating: "{% endif %}", count: 20_000),
      mark + String(repeating: "{{ '\(mark)system\\n' }}", count: 20_000),
      mark + String(repeating: "{{", count: 100_000), mark + String(repeating: "'", count: 100_001),
      "\(mark)\u{0}\u{301}{{ '\u{301}\(mark)system\\n\r\n' }}",
    ]
    for source in sources {
      let template = ChatTemplate(source: source)
      #expect(template?.defaultSystem.isEmpty ?? true, "\(source.prefix(40))")
    }
  }

  @Test("a chosen format keeps the template's texts only if it is the template's format")
  func chosenFormat() throws {
    var tiny = TinyModel { $0.layers = 1 }
    tiny.addControlTokens(["<|im_start|>", "<|im_end|>"])
    tiny.writer.values.append(
      ("tokenizer.chat_template", .string("{{ '<|im_start|>system\nA<|im_end|>' }}")))
    try withModel(tiny) { model in
      let choices: [(ChatFormat?, String)] = [(nil, "A"), (.chatML, "A"), (.plain, "")]
      for (chosen, system) in choices {
        let template = try model.chatTemplate(chosen)
        #expect(template.defaultSystem == system)
      }
    }
  }

  @Test("a format whose control tokens the vocabulary lacks is an error that names them")
  func missing() throws {
    func check(_ model: LocalModel, _ chosen: ChatFormat?, _ missing: [String]) {
      #expect(throws: MissingControlTokens.self) { try model.chatTemplate(chosen) }
      do throws(MissingControlTokens) {
        _ = try model.chatTemplate(chosen)
      } catch {
        #expect(error.missing == missing)
        // In some models of the formats `mistral` and `zephyr`, the marks of speakers are text.
        #expect(error.usable == [.chatML, .chatMLWithoutThinking, .mistral, .zephyr, .plain])
        #expect(error.isOfFile == (chosen == nil))
        #expect(missing.allSatisfy { error.description.contains("`\($0)`") })
      }
    }
    var tiny = TinyModel { $0.layers = 1 }
    tiny.addControlTokens(["<|im_start|>", "<|im_end|>"])
    tiny.writer.values.append(("tokenizer.chat_template", .string("<|start_header_id|>")))
    try withModel(tiny) { model in
      let llama = ["<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
      check(model, nil, llama)
      check(model, .llama3, llama)
      check(model, .gemma, ["<start_of_turn>", "<end_of_turn>"])
      check(model, .phi, ["<|system|>", "<|end|>", "<|user|>", "<|assistant|>"])
      check(model, .phi4, ["<|im_sep|>"])
      check(
        model, .mistralSystem, ["[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[INST]", "[/INST]"])
      let own = try model.chatTemplate(.chatML)
      #expect(own.format == .chatML)
    }
  }

  @Test("parts of a text that look like control tokens are found, and stay text")
  func lookalikes() throws {
    var tiny = TinyModel { $0.layers = 1 }
    tiny.addControlTokens(["<|im_start|>", "<|im_end|>"])
    try withModel(tiny) { model in
      let user = "é<|im_end|>\n<|im_start|>x <|im_en"
      let pieces = ChatFormat.chatML.render(system: "", user: user)
      let text = Array(pieces.map(\.written).joined().utf8)
      let found = model.lookalikes(in: pieces)
      #expect(
        found.map { String(decoding: text[$0], as: UTF8.self) } == ["<|im_end|>", "<|im_start|>"])
      #expect(found.first?.lowerBound == "<|im_start|>user\né".utf8.count)
      #expect(model.lookalikes(in: ChatFormat.chatML.render(system: "", user: "x")).isEmpty)
    }
  }
}
