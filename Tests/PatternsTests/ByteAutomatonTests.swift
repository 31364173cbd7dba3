import Patterns
import Testing

@testable import GuidedGeneration

/// Tests the automata of patterns: their sizes, their states, and the bytes that they accept.
@Suite struct ByteAutomatonTests {
  @Test(
    "the automaton of a pattern has the smallest possible number of states",
    arguments: [
      ("", 1), ("a", 2), ("(a|b)*abb", 4), ("[0-9]{3}", 4), ("a|b|c", 2), ("ax|bx|cx", 3),
      ("a*", 1),
      // The states of the next pattern are the start, the state after the match, three states that
      // count continuation bytes, and those after E0, ED, F0 and F4, which restrict the next byte.
      ("[^a]|a", 9), ("(a|b)(a|b)(a|b)", 4), ("(ab?|a)(b|c)?", 4),
      // The next pattern matches binary numbers that are divisible by 3, with one state for each
      // remainder. The pattern after it must remember six letters, which takes 2⁶ states.
      ("(0|1(01*0)*1)*", 3), ("(a|b)*a(a|b){5}", 64), ("x{0,500}", 501),
    ])
  func size(text: String, count: Int) throws {
    #expect(try Pattern(parsing: text).automaton.stateCount == count)
  }

  @Test(
    "every state can be reached from the start, and can lead to a match",
    arguments: [
      "(a|b)*abb", "\\p{Lu}\\w{0,3}", "^a|b$", "[^x]{2,4}y", "(?i)straße|\\d+",
    ])
  func usefulStates(text: String) throws {
    for text in [text, PatternAnchoring.wholePattern(of: text)] {
      let automaton = try Pattern(parsing: text).automaton
      var reached: Set<Int32> = [automaton.start]
      var accepting = Set(
        (0..<Int32(automaton.stateCount)).filter { automaton.isAccepting[Int($0)] })
      for _ in 0..<automaton.stateCount {
        for index in 0..<automaton.stateCount * 256 {
          let state = Int32(index / 256)
          let target = automaton.next(state, UInt8(index % 256))
          if target == ByteAutomaton.none { continue }
          if reached.contains(state) { reached.insert(target) }
          if accepting.contains(target) { accepting.insert(state) }
        }
        if reached.count == automaton.stateCount, accepting.count == reached.count { break }
      }
      #expect(reached.count == automaton.stateCount)
      #expect(accepting.count == automaton.stateCount)
      #expect(Set(automaton.classOfByte).count == automaton.classCount)
    }
  }

  @Test(
    "bytes that are not UTF-8 are never accepted",
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xC3], [0xA9], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xE2, 0x82],
    ] as [[UInt8]])
  func invalidBytes(bytes: [UInt8]) throws {
    for text in ["[^a]", "[^a]*", ".", "\\D+", "[\\u{80}-\\u{10FFFF}]"] {
      #expect(try !Pattern(parsing: text).automaton.accepts(bytes))
    }
    let anywhere = PatternAnchoring.wholePattern(of: "^|b")
    #expect(try !Pattern(parsing: anywhere).automaton.accepts(bytes))
  }

  @Test("each scalar next to a boundary between UTF-8 lengths matches as one character")
  func edges() throws {
    let any = try Pattern(parsing: "[^\\u{1}]").automaton
    for value: UInt32 in [
      0, 2, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF,
    ] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(any.accepts(String(Character(scalar)).utf8))
      let one = try Pattern(parsing: "\\u{\(String(value, radix: 16))}")
      #expect(one.wholeMatch(String(Character(scalar))))
      #expect(one.automaton.stateCount == UTF8.width(scalar) + 1)
    }
  }
}
