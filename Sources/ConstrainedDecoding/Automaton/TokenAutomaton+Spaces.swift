import Tokenization

/// Masks where any white space may stand (flexible mode).
///
/// After `{"a":` there may be any run of white space, and the state after one run is the state
/// after every other one. So what a token does after its white space is asked once for all runs
/// (`SpacedTrie.rest`), and the tokens of white space alone are one set for all schemas.
///
/// ```
/// {"a":        { any space, value … }      tokens  1   12   "x   …        walked
///    │ ␣ ⏎                                 tokens  ␣   ⏎   ⏎␣␣           one set
///    ▼                                     tokens  ␣1   ⏎␣␣[             by what follows: 1, [
/// {"a":␣       { any space, value … } ◄─┐
///    └──────────── ␣ ⏎ ─────────────────┘
/// ```
extension TokenAutomaton {
  /// The configuration after white space, where any run of it may come and none makes a
  /// difference to another; nil elsewhere.
  func afterSpace(_ configuration: Configuration) -> Configuration? {
    guard isFlexible, anySpaceCount(configuration) > 0 else { return nil }
    let space = UInt8(ascii: " ")
    let after = successor(configuration, space)
    guard anySpaceCount(after) > 0, successor(after, space) == after,
      firstBytes(after).subtracting(.whitespace).subtracting(SpacedTrie.firstBytes).isEmpty
    else { return nil }
    return after
  }

  /// Remembers what white space leads to for all of its bytes at once, where one was found.
  ///
  /// Threads before any white space stay, and what they lead to is there after the first byte. So
  /// more white space changes nothing unless what they lead to begins with white space again.
  func rememberSpace(_ after: Configuration, after configuration: Configuration) {
    let count = anySpaceCount(configuration)
    if count == 0 { return }
    let isLoop = anySpaceCount(after) == count
    for byte in " \t\n\r".utf8 {
      let range = ByteRange(low: byte, high: byte)
      remember(after, after: configuration, range)
      if isLoop { remember(after, after: after, range) }
    }
  }

  /// How many threads stand before any white space; 0 where another one takes white space too.
  private func anySpaceCount(_ configuration: Configuration) -> Int {
    let header = headers[Int(configuration)]
    var count = 0
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount) {
      let thread = threads[index]
      switch thread.kind {
      case Thread.states:
        if thread.state == grammar.punctuation.space {
          count += 1
        } else {
          var takesSpace = false
          grammar.states.forEachEdge(of: thread.state) { edge in
            if edge.low <= 0x20 { takesSpace = true }
          }
          if takesSpace { return 0 }
        }
      case Thread.indentation: return 0
      default: if thread.stringState != StringAutomaton.start { return 0 }
      }
    }
    return count
  }

  /// The tokens of white space and something that fits after it.
  func tokensBehindSpace(at configuration: Configuration) -> [TokenID] {
    if let known = spacedTokens[configuration] { return known }
    var tokens: [TokenID] = []
    walk(table.spaced.rest, from: configuration) { tokens += table.spaced.groups[Int($0)] }
    remember(bytes: tokens.count * MemoryLayout<Int32>.stride)
    spacedTokens[configuration] = tokens
    return tokens
  }
}
