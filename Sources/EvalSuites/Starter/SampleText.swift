import GuidedGeneration
import Patterns

/// Creates sample texts that a schema allows.
enum SampleText {
  /// Returns a sample text for a string schema.
  ///
  /// - Parameters:
  ///   - string: The string's schema.
  ///   - name: The name of the property, or another word for the text's purpose.
  ///   - number: The number of the sample; samples with different numbers differ where the schema
  ///     allows it and no pattern applies.
  /// - Returns: The first choice, or else a shortest text that matches the pattern, or else a few
  ///   words.
  static func text(for string: StringSchema, name: String, number: Int = 0) -> String {
    if let choices = string.choices, !choices.isEmpty { return choices[number % choices.count] }
    if let pattern = string.pattern, let compiled = try? Pattern(parsing: pattern),
      let shortest = shortest(in: compiled.automaton)
    {
      return shortest
    }
    let least = string.minimumLength ?? 0
    let most = max(string.maximumLength ?? .max, least)
    let words = "A sample of \(name)."
    var text = words.unicodeScalars.count > most ? String(words.unicodeScalars.prefix(most)) : words
    let count = text.unicodeScalars.count
    if count < least { text += String(repeating: "x", count: min(least - count, 4_096)) }
    guard number > 0 else { return text }
    let suffix = " \(number + 1)"
    return String(text.unicodeScalars.prefix(max(0, most - suffix.count))) + suffix
  }

  /// Returns a shortest text that an automaton accepts, or `nil` if every such text contains
  /// control characters.
  ///
  /// A breadth-first search records the step by which it first reaches each state. The search tries
  /// letters and digits first, and bytes beyond ASCII last.
  ///
  /// - Complexity: O(states).
  static func shortest(in automaton: ByteAutomaton) -> String? {
    let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
    let first = letters + digits + Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    let others = (UInt8(0x20)...0x7e).filter { !first.contains($0) }
    let bytes = first + others + Array(UInt8(0x80)...0xff)
    var cameFrom: [Int32: (state: Int32, byte: UInt8)] = [:]
    var seen: Set<Int32> = [automaton.start]
    var frontier = [automaton.start]
    func isAccepting(_ state: Int32) -> Bool { automaton.isAccepting[Int(state)] }
    while !frontier.isEmpty {
      if let end = frontier.first(where: isAccepting) {
        var text: [UInt8] = []
        var state = end
        while let step = cameFrom[state] {
          text.append(step.byte)
          state = step.state
        }
        return String(validating: text.reversed(), as: UTF8.self)
      }
      var next: [Int32] = []
      for state in frontier {
        for byte in bytes {
          let target = automaton.next(state, byte)
          guard target != ByteAutomaton.none, seen.insert(target).inserted else { continue }
          cameFrom[target] = (state, byte)
          next.append(target)
        }
      }
      frontier = next
    }
    return nil
  }
}
