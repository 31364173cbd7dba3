import GuidedGeneration
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Laws that masks satisfy for every schema in every white-space mode.
@Suite("Laws of masks")
struct MetamorphicTests {
  struct World: CustomTestStringConvertible {
    let seed: Int
    let mode: WhitespaceMode

    var testDescription: String { "schema \(seed), \(mode.rawValue)" }
  }

  static let worlds = (0..<24).flatMap { seed in
    WhitespaceMode.allCases.map { World(seed: seed, mode: $0) }
  }

  @Test(
    "the same bytes lead to the same mask in any segmentation, even in a new automaton",
    arguments: worlds)
  func samePlace(world: World) throws {
    let schema = RichWorld(seed: world.seed).schema
    let automaton = try RichWorld.automaton(schema, world.mode)
    var random = SeededGenerator(seed: UInt64(world.seed))
    for _ in 0..<3 {
      let walk = RichWorld.walk(automaton, tokens: 12, &random)
      let bytes = RichWorld.bytes(of: walk)
      let direct = try Self.matcher(automaton, after: walk)
      let mask = direct.mask.tokens
      let fresh = try RichWorld.automaton(schema, world.mode)
      let other = try Self.matcher(fresh, after: Self.segmentation(of: bytes, &random))
      #expect(mask == other.mask.tokens)
      #expect(direct.isComplete == other.isComplete)
      // Check byte by byte which tokens fit.
      let fitting = (1..<TokenID(RichWorld.vocabulary.count)).filter { token in
        var next = other
        return next.accept(bytes: RichWorld.vocabulary.bytes(of: token))
      }
      #expect(mask.filter { $0 != 0 } == fitting, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(mask.contains(0) == other.isComplete)
    }
  }

  @Test(
    "returning to a snapshot has the same effect as replaying the tokens before it",
    arguments: worlds)
  func rewinding(world: World) throws {
    let schema = RichWorld(seed: world.seed).schema
    let automaton = try RichWorld.automaton(schema, world.mode)
    var random = SeededGenerator(seed: UInt64(1000 + world.seed))
    let walk = RichWorld.walk(automaton, tokens: 14, &random)
    var snapshots = [Matcher(automaton)]
    for token in walk {
      var next = snapshots[snapshots.count - 1]
      let isAccepted = next.accept(token)
      #expect(isAccepted)
      snapshots.append(next)
    }
    for _ in 0..<4 {
      let place = Int.random(in: 0..<snapshots.count, using: &random)
      // Write something else from there, and then go back.
      var detour = snapshots[place]
      while let token = detour.mask.tokens.filter({ $0 != 0 }).randomElement(using: &random),
        Int.random(in: 0..<5, using: &random) > 0
      {
        let isAccepted = detour.accept(token)
        #expect(isAccepted)
      }
      let rewound = snapshots[place]
      let replayed = try Self.matcher(automaton, after: walk.prefix(place))
      #expect(rewound.configuration == replayed.configuration)
      let fresh = try RichWorld.automaton(schema, world.mode)
      let anew = try Self.matcher(fresh, after: walk.prefix(place))
      #expect(rewound.mask.tokens == anew.mask.tokens)
    }
  }

  @Test("wider bounds and additional choices never remove a token from a mask", arguments: worlds)
  func widening(world: World) throws {
    let rich = RichWorld(seed: world.seed)
    let narrow = try RichWorld.automaton(rich.schema, world.mode)
    let wide = try RichWorld.automaton(rich.wider, world.mode)
    var random = SeededGenerator(seed: UInt64(2000 + world.seed))
    for _ in 0..<3 {
      var inner = Matcher(narrow)
      var outer = Matcher(wide)
      for token in RichWorld.walk(narrow, tokens: 12, &random) {
        #expect(Set(inner.mask.tokens).isSubset(of: outer.mask.tokens))
        let isAccepted = (inner.accept(token), outer.accept(token))
        #expect(isAccepted == (true, true))
      }
      #expect(Set(inner.mask.tokens).isSubset(of: outer.mask.tokens))
    }
  }

  @Test(
    "no configuration has an empty mask, even if the automaton found it by looking ahead",
    arguments: worlds)
  func deadEnds(world: World) throws {
    let automaton = try RichWorld.automaton(RichWorld(seed: world.seed).schema, world.mode)
    var random = SeededGenerator(seed: UInt64(3000 + world.seed))
    for _ in 0..<4 { _ = RichWorld.walk(automaton, tokens: 12, &random) }
    // Skip 0, which means “not known yet”, and 1 (`dead`), which no legal text reaches.
    for configuration in 2..<UInt32(min(automaton.configurationCount, 300)) {
      #expect(automaton.mask(at: configuration).count > 0)
    }
  }

  // MARK: Helpers

  private static func matcher(
    _ automaton: TokenAutomaton, after tokens: some Sequence<TokenID>
  ) throws -> Matcher {
    var matcher = Matcher(automaton)
    for token in tokens {
      #expect(matcher.mask.contains(token))
      let isAccepted = matcher.accept(token)
      #expect(isAccepted)
    }
    return matcher
  }

  /// Cuts bytes into tokens at random.
  private static func segmentation(
    of bytes: [UInt8], _ random: inout SeededGenerator
  ) throws -> [TokenID] {
    var rest = bytes[...]
    var tokens: [TokenID] = []
    while !rest.isEmpty {
      let fitting = (1..<TokenID(RichWorld.vocabulary.count)).filter {
        rest.starts(with: RichWorld.vocabulary.bytes(of: $0))
      }
      let token = try #require(fitting.randomElement(using: &random))
      tokens.append(token)
      rest = rest.dropFirst(RichWorld.vocabulary.bytes(of: token).count)
    }
    return tokens
  }
}
