import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Tests enums whose cases have the same names as the options of other decisions.
@Suite("Cases that are named like other options")
struct OptionNameTests {
  private static let words = ["end", "element", "present", "absent"]

  private static let list = #"""
    {"type":"object","properties":{"v":{"type":"array","maxItems":1,"items":{"type":"string",
     "enum":["end","element","present","absent"]}},"w":{"type":"string",
     "enum":["absent","present"]}},"required":["v"],"additionalProperties":false}
    """#

  /// A decision of the schema: the text before it, its options, and the option that a whole text
  /// takes.
  private struct Place {
    var prefix: String
    var options: [Decision.Option]
    var taken: (String) -> Decision.Option?
  }

  private static func place(_ decision: Decision, in text: String) -> Place {
    let array = String(text.prefix { $0 != "]" }) + "]"
    func branch(_ tail: Substring, _ names: [String]) -> Decision.Option? {
      names.first { tail.hasPrefix("\"\($0)\"") }.map { .branch($0) }
    }
    return switch decision.kind {
    case .array:
      Place(prefix: #"{"v":["#, options: [.element, .end]) { $0.contains("[]") ? .end : .element }
    case .optional:
      Place(prefix: array, options: [.present, .absent]) {
        $0.contains(#""w":"#) ? .present : .absent
      }
    case .choice where decision.path == "$.w":
      Place(prefix: array + #","w":"#, options: [.branch("absent"), .branch("present")]) {
        branch($0.dropFirst(array.count + 5), ["absent", "present"])
      }
    case .choice, .branch:
      Place(prefix: #"{"v":["#, options: words.map { .branch($0) }) {
        branch($0.dropFirst(6), words)
      }
    }
  }

  @Test("a case is a branch with its own probability, even if it has the name of another option")
  func checkOptions() throws {
    // Each text before a decision has only one spelling, because probabilities are conditional on
    // the tokens before the decision, and the expected ones on the text.
    let vocabulary = vocabulary([
      #"{"v":["#, "]", "\"e", "lement\"", "nd\"", "\"present\"", "\"absent\"",
      #","w":"#, "}", "\"absent\"}",
    ])
    let automaton = try automaton(schema(Self.list), vocabulary)
    var chosen: Set<Decision.Option> = []
    for seed in 0..<12 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      for number in 0..<4 {
        var session = try model.run(automaton, seed: UInt64(seed), repeat: number)
        session.resolveDecisions(budget: 200) { model.logits(after: $0) }
        let text = session.text
        for decision in session.decisions {
          let place = Self.place(decision, in: text)
          #expect(decision.options.map(\.option) == place.options, "\(text) \(decision)")
          let option = try #require(decision.chosenOption)
          #expect(option == place.taken(text), "\(text) \(decision)")
          chosen.insert(option)
          let expected = model.optionProbabilities(
            automaton, prefix: place.prefix, option: place.taken)
          for option in decision.options {
            let difference = abs(option.sampled - (expected[option.option] ?? 0))
            #expect(difference <= decision.unresolved + 1e-9, "\(text) \(decision) \(expected)")
          }
          #expect(decision.unresolved < 0.01, "\(text) \(decision)")
        }
      }
    }
    #expect(chosen == Set([.element, .end, .present, .absent] + Self.words.map { .branch($0) }))
  }
}
