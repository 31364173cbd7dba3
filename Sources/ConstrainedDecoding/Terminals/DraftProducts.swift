/// Derives new automata from drafts: one for the multiples of a number, and one for the difference
/// of two drafts.
extension ByteAutomatonDraft {
  /// The maximum number of digits after a divisor's point.
  static let mostDecimals = 30

  /// Returns an automaton for the numbers that this draft accepts and that are multiples of a
  /// divisor.
  ///
  /// The draft must not accept exponents. The result is nil if there are too many states, if the
  /// divisor is zero or too large, or if the divisor has more than `mostDecimals` digits after its
  /// point.
  ///
  /// A state consists of a state of the draft, the remainder of the digits so far, and the number
  /// of digits after the point. The count stops at the number of digits that the divisor has after
  /// its point, because all further digits must be zeros.
  ///
  /// - Parameters:
  ///   - divisor: The divisor times ten to the power of `decimals`.
  ///   - decimals: The number of digits after the divisor's point.
  ///   - limit: The maximum number of states.
  func multiples(of divisor: Int, decimals: Int = 0, limit: Int) -> ByteAutomatonDraft? {
    struct Key: Hashable {
      var state: Int
      var remainder: Int
      /// The number of digits after the point so far, or -1 before the point.
      var decimals = -1
    }
    guard divisor > 0, decimals <= Self.mostDecimals else { return nil }
    // Returns whether the number is a multiple; digits that were not written count as zeros.
    func isMultiple(_ key: Key) -> Bool {
      var remainder = key.remainder
      for _ in max(0, key.decimals)..<max(0, key.decimals, decimals) {
        remainder = remainder * 10 % divisor
      }
      return remainder == 0
    }
    var result = ByteAutomatonDraft()
    var numbers: [Key: Int] = [:]
    var open: [Key] = []
    func number(_ key: Key, _ result: inout ByteAutomatonDraft) -> Int {
      if let known = numbers[key] { return known }
      let number = result.addState(accepting: accepting[key.state] && isMultiple(key))
      numbers[key] = number
      open.append(key)
      return number
    }
    result.start = number(Key(state: start, remainder: 0), &result)
    while let key = open.popLast() {
      if numbers.count > limit { return nil }
      let source = number(key, &result)
      for edge in edges[key.state] {
        for byte in edge.low...edge.high {
          var next = key
          next.state = edge.target
          if byte == UInt8(ascii: ".") {
            next.decimals = 0
          } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            if key.decimals >= decimals {
              // With any other digit here, the number would not be a multiple.
              if byte != UInt8(ascii: "0") { continue }
            } else {
              let (shifted, overflow) = key.remainder.multipliedReportingOverflow(by: 10)
              if overflow || shifted > .max - 9 { return nil }
              next.remainder = (shifted + Int(byte - UInt8(ascii: "0"))) % divisor
              if key.decimals >= 0 { next.decimals += 1 }
            }
          }
          let target = number(next, &result)
          result.addEdge(source, byte, byte, target)
        }
      }
    }
    return result
  }

  /// Returns an automaton for the texts that this draft accepts and that another draft doesn't;
  /// both drafts must be deterministic.
  func subtracting(_ other: ByteAutomatonDraft) -> ByteAutomatonDraft {
    struct Key: Hashable {
      var state: Int
      var other: Int?
    }
    var result = ByteAutomatonDraft()
    var numbers: [Key: Int] = [:]
    var open: [Key] = []
    func number(_ key: Key, _ result: inout ByteAutomatonDraft) -> Int {
      if let known = numbers[key] { return known }
      let isExcluded = key.other.map { other.accepting[$0] } ?? false
      let number = result.addState(accepting: accepting[key.state] && !isExcluded)
      numbers[key] = number
      open.append(key)
      return number
    }
    result.start = number(Key(state: start, other: other.start), &result)
    while let key = open.popLast() {
      let source = number(key, &result)
      for edge in edges[key.state] {
        for byte in edge.low...edge.high {
          let next = key.other.flatMap { state in
            other.edges[state].first { $0.low <= byte && byte <= $0.high }?.target
          }
          let target = number(Key(state: edge.target, other: next), &result)
          result.addEdge(source, byte, byte, target)
        }
      }
    }
    return result
  }
}
