import EvalRecords
import Foundation
import Testing

@Suite("Settings of a request")
struct GenerationSettingsTests {
  @Test("settings that were stored under the first measurement protocol can be read")
  func firstProtocol() throws {
    let stored = """
      {"isGreedy":true,"temperature":0.5,"topK":3,"topP":1,"minP":0,"maximumTokens":9,
      "whitespace":"compact","tokenization":"canonical"}
      """
    let settings = try JSONDecoder().decode(GenerationSettings.self, from: Data(stored.utf8))
    #expect(settings.whitespace == .compact && settings.tokenization == .canonical)
    #expect(settings.outline == .typescript && settings.mask == .on)
    let again = try JSONDecoder().decode(
      GenerationSettings.self, from: JSONEncoder().encode(settings))
    #expect(again == settings)
  }

  @Test("settings without one that all records have can't be read")
  func missing() throws {
    let stored = try JSONEncoder().encode(GenerationSettings())
    let text = String(decoding: stored, as: UTF8.self)
    for name in ["isGreedy", "topK", "tokenization"] {
      let damaged = Data(text.replacing("\"\(name)\"", with: "\"other\"").utf8)
      #expect(throws: DecodingError.self, "\(name)") {
        try JSONDecoder().decode(GenerationSettings.self, from: damaged)
      }
    }
  }

  @Test("lines for digests leave defaults out, so that a new setting changes no digest")
  func digestLines() {
    #expect(GenerationSettings().digestLines() == [])
    let settings = GenerationSettings(isGreedy: true, temperature: 0.5, topP: 0.9, mask: .off)
    #expect(
      settings.digestLines() == ["isGreedy true", "mask off", "temperature 0.5", "topP 0.9"])
    #expect(settings.digestLines(without: [.temperature, .topK]).count == 3)
  }

  @Test(
    "an edit can be split into parts with one setting each, and all parts together equal the edit")
  func editParts() {
    var edit = SettingsEdit()
    (edit.isGreedy, edit.temperature, edit.topK, edit.topP) = (true, 0.5, 3, 0.9)
    (edit.minP, edit.maximumTokens, edit.whitespace) = (0.1, 9, .pretty)
    (edit.tokenization, edit.outline, edit.mask) = (.canonicalPairs, .example, .off)
    var sum = SettingsEdit()
    for key in GenerationSetting.allCases {
      #expect(edit.words(of: key)?.hasPrefix("\(key.rawValue): ") == true)
      sum[key] = edit[key]
    }
    #expect(sum == edit)
    let settings = edit.applied(to: GenerationSettings())
    #expect(
      settings
        == GenerationSettings(
          isGreedy: true, temperature: 0.5, topK: 3, topP: 0.9, minP: 0.1, maximumTokens: 9,
          whitespace: .pretty, tokenization: .canonicalPairs, outline: .example, mask: .off))
    #expect(SettingsEdit().applied(to: settings) == settings)
  }
}
