/// Automata of numbers that are made of others.
extension ByteAutomatonDraft {
  /// The whole numbers of a draft that are multiples of a number; nil if it has too many states.
  ///
  /// A state is one of the draft with the remainder of the digits so far.
  func multiples(of divisor: Int, limit: Int) -> ByteAutomatonDraft? {
    struct Key: Hashable {
      var state: Int
      var remainder: Int
    }
    var result = ByteAutomatonDraft()
    var numbers: [Key: Int] = [:]
    var open: [Key] = []
    func number(_ key: Key, _ result: inout ByteAutomatonDraft) -> Int {
      if let known = numbers[key] { return known }
      let number = result.addState(accepting: accepting[key.state] && key.remainder == 0)
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
          var remainder = key.remainder
          if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            let (shifted, overflow) = remainder.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            remainder = (shifted + Int(byte - UInt8(ascii: "0"))) % divisor
          }
          let target = number(Key(state: edge.target, remainder: remainder), &result)
          result.addEdge(source, byte, byte, target)
        }
      }
    }
    return result
  }

  /// The texts of a draft that another one doesn't accept; both are deterministic.
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
