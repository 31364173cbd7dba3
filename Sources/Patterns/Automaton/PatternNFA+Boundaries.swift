extension PatternNFA {
  /// A state and its context: the kind of character before it, and the kind of character that a
  /// boundary requires after it.
  private struct Context: Hashable {
    var state: Int32
    var isAfterWord: Bool
    /// Whether the next character must be a word character, or nil if it may be any character.
    ///
    /// The end of the text doesn't count as a word character.
    var needsWord: Bool?
  }

  /// Replaces each state with copies that have no boundary edges: one copy for each context in
  /// which the state is reached.
  ///
  /// ```
  /// a\b.     after a:  \b requires that no word character follows, so `.` can't match one
  /// ```
  ///
  /// Word characters are those of `\w`, as in ECMA-262.
  mutating func resolveBoundaries() throws(PatternError) {
    guard states.contains(where: { $0.boundary >= 0 }) else { return }
    let old = states
    let words = ScalarSet.wordCharacters
    let others = words.inverted
    var numbers: [Context: Int32] = [:]
    var open: [Context] = []
    let first = Context(state: start, isAfterWord: false, needsWord: nil)
    replaceStates(with: [State()])
    func number(_ context: Context, _ nfa: inout PatternNFA) throws(PatternError) -> Int32 {
      if let known = numbers[context] { return known }
      let number = try nfa.add(State())
      numbers[context] = number
      open.append(context)
      return number
    }
    start = try number(first, &self)
    while let context = open.popLast() {
      let state = old[Int(context.state)]
      let source = try number(context, &self)
      var silent: [Int32] = []
      if context.state == accepting, context.needsWord != true { silent.append(accepting) }
      for target in state.silent {
        var next = context
        next.state = target
        silent.append(try number(next, &self))
      }
      if state.boundary >= 0 {
        let needed = context.isAfterWord == state.isNegated
        if context.needsWord == nil || context.needsWord == needed {
          let next = Context(
            state: state.boundary, isAfterWord: context.isAfterWord, needsWord: needed)
          silent.append(try number(next, &self))
        }
      }
      if state.set >= 0 {
        for (isWord, kind) in [(true, words), (false, others)]
        where context.needsWord == nil || context.needsWord == isWord {
          let part = sets[Int(state.set)].intersection(kind)
          if part.isEmpty { continue }
          let next = Context(state: state.target, isAfterWord: isWord, needsWord: nil)
          let target = try number(next, &self)
          silent.append(try add(State(set: try index(of: part), target: target)))
        }
      }
      setSilent(silent, of: source)
    }
  }
}
