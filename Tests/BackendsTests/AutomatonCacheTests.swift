import ConstrainedDecoding
import GuidedGeneration
import StructuredText
import Testing
import Tokenization

@testable import Backends

@Suite("A worker's cache of automata")
struct AutomatonCacheTests {
  private func automaton(strings: Int = 0) throws -> TokenAutomaton {
    let letters = (0x20..<0x7F).map { [UInt8($0)] }
    let vocabulary = Vocabulary(
      tokens: [[]] + letters, kinds: [.special] + letters.map { _ in .text }, endTokens: [0])
    let schema = try GenerationSchema(
      json: JSONValue(parsing: #"{"type":"string","maxLength":100000}"#))
    let automaton = try CompiledGrammar(
      schema: schema, table: TokenTable(vocabulary: vocabulary, dialect: JSONDialect())
    ).makeAutomaton()
    var matcher = Matcher(automaton)
    let isAccepted = matcher.accept(
      bytes: ("\"" + String(repeating: "a", count: strings)).utf8)
    #expect(isAccepted)
    return automaton
  }

  @Test("a full cache removes the least recently used automaton first")
  func leastRecentlyUsed() throws {
    var cache = AutomatonCache<Int>(mostAutomata: 3)
    for key in 0..<3 { cache.insert(try automaton(), for: key) }
    _ = cache.automaton(for: 0)
    cache.insert(try automaton(), for: 3)
    #expect(cache.count == 3)
    let kept = (0..<4).filter { cache.automaton(for: $0) != nil }
    #expect(kept == [0, 2, 3])
  }

  @Test("the cache replaces an automaton that has grown too large, and removes others to make room")
  func size() throws {
    let grown = try automaton(strings: 1000)
    let unused = try automaton().byteCount
    #expect(grown.byteCount > 20 * unused)
    var cache = AutomatonCache<Int>(mostBytes: grown.byteCount * 2)
    cache.insert(grown, for: 0)
    let again = cache.automaton(for: 0)
    #expect(again === grown)
    for key in 1...2 { cache.insert(try automaton(strings: 1000), for: key) }
    #expect(cache.count == 2)
    var small = AutomatonCache<Int>(mostBytes: grown.byteCount - 1)
    small.insert(grown, for: 0)
    let fresh = small.automaton(for: 0)
    #expect(fresh !== grown)
    #expect((fresh?.byteCount ?? .max) < grown.byteCount / 20)
    let later = small.automaton(for: 0)
    #expect(later === fresh)
  }
}
