/// Counts the keys that byte states spell, and finds keys that an object doesn't have yet.
extension ByteStates {
  /// Returns the number of keys whose spellings begin in a state.
  ///
  /// A key with several spellings, such as `\u001f` and `\u001F`, counts once.
  ///
  /// - Parameters:
  ///   - start: The state before the key's opening quote.
  ///   - limit: The highest number to return.
  /// - Returns: The number, or nil if it's above the limit or infinite.
  func keyCount(from start: UInt32, limit: Int) -> Int? {
    var counts: [UInt32: Int] = [:]
    var open: Set<UInt32> = [start]
    // Use an explicit stack, because a key may be as long as its automaton.
    var stack = [KeyBranch(start, next: keySteps(from: start, in: .outside))]
    while let branch = stack.last {
      let top = stack.count - 1
      guard let step = branch.next.first else {
        stack.removeLast()
        open.remove(branch.state)
        counts[branch.state] = branch.count
        continue
      }
      if let known = counts[step.target] {
        let (sum, overflow) = branch.count.addingReportingOverflow(step.count * known)
        if overflow || sum > limit { return nil }
        stack[top].count = sum
        stack[top].next.removeFirst()
      } else if open.insert(step.target).inserted {
        var next = KeyBranch(step.target, next: keySteps(from: step.target, in: step.escape))
        if accepting[Int(step.target)] { next.count = 1 }
        stack.append(next)
      } else {
        return nil
      }
    }
    return counts[start]
  }

  /// A state on the way to the state being counted, and the steps still to be counted.
  private struct KeyBranch {
    var state: UInt32
    var count = 0
    var next: ArraySlice<KeyStep>

    init(_ state: UInt32, next: [KeyStep]) {
      self.state = state
      self.next = next[...]
    }
  }

  /// The step to another state, and the number of bytes that lead there with different keys.
  private struct KeyStep {
    var target: UInt32
    var count: Int
    var escape: EscapePlace
  }

  /// A position in an escape.
  private enum EscapePlace {
    case outside
    case afterBackslash
    /// After `\u` and this many digits.
    case digits(Int)
  }

  private func keySteps(from state: UInt32, in escape: EscapePlace) -> [KeyStep] {
    var steps: [KeyStep] = []
    func add(_ target: UInt32, _ count: Int, _ next: EscapePlace) {
      if let last = steps.last, last.target == target, case .outside = last.escape,
        case .outside = next
      {
        steps[steps.count - 1].count += count
      } else {
        steps.append(KeyStep(target: target, count: count, escape: next))
      }
    }
    let backslash = UInt8(ascii: "\\")
    for edge in edges(of: state) {
      if case .outside = escape, !(edge.low...edge.high).contains(backslash) {
        add(edge.target, Int(edge.high - edge.low) + 1, .outside)
        continue
      }
      for byte in edge.low...edge.high {
        var next = EscapePlace.outside
        switch escape {
        case .outside:
          if byte == backslash { next = .afterBackslash }
        case .afterBackslash:
          // Where `\/` is possible, the same key can be written with `/`.
          if byte == UInt8(ascii: "/") { continue }
          if byte == UInt8(ascii: "u") { next = .digits(0) }
        case .digits(let count):
          // The digits A to F are possible too.
          if byte >= UInt8(ascii: "a") { continue }
          if count < 3 { next = .digits(count + 1) }
        }
        add(edge.target, 1, next)
      }
    }
    return steps
  }

  /// Returns whether some key that an object doesn't have yet continues from a state.
  ///
  /// Every state leads to the end of some key. So the search follows only bytes with which a used
  /// key continues, and ends as soon as another byte is possible:
  ///
  /// ```
  /// keys red, reed     used  red            re    d leads to red, but e leads on: true
  ///                    used  red, reed      "     r e d, r e e d: false
  /// ```
  ///
  /// - Parameters:
  ///   - state: A state inside a key.
  ///   - key: The key so far.
  ///   - used: The keys of the object in ascending order.
  func hasUnusedKey(from state: UInt32, after key: KeyPrefix, used: [[UInt8]]) -> Bool {
    var open = [(state: state, key: key)]
    while let (state, key) = open.popLast() {
      if key.matches.isEmpty { return true }
      for edge in edges(of: state) {
        for byte in edge.low...edge.high {
          if byte == UInt8(ascii: "\""), !key.isInEscape {
            if !key.isComplete(in: used) { return true }
            continue
          }
          var next = key
          next.feed(byte, used)
          if next.matches.isEmpty { return true }
          open.append((edge.target, next))
        }
      }
    }
    return false
  }
}
