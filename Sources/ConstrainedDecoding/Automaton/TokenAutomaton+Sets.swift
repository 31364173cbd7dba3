/// Expands arrays with unique elements.
extension TokenAutomaton {
  /// Adds what can come next: the end of the array, if it has enough elements, and every value that
  /// the array doesn't contain yet.
  ///
  /// A bit set records the values that the array contains.
  ///
  /// ```
  /// red, green, blue     ["blue"       bits 100     then ,"red" or ,"green" or the end
  /// ```
  func expandSet(_ it: Continuation) {
    guard case .set(let set) = grammar.nodes[Int(it.argument)] else { return }
    let count = UInt32(it.count.nonzeroBitCount)
    if count >= set.minimum {
      expand(
        closing(
          grammar.punctuation.closeArray, isEmpty: count == 0, of: it))
    }
    if count >= set.maximum { return }
    for (index, option) in set.options.enumerated() where it.count & 1 << UInt32(index) == 0 {
      guard fits(option, before: it.next, inside: 1) else { continue }
      let after = continuation(
        .set, it.argument, count: it.count | 1 << UInt32(index), depth: it.depth, next: it.next)
      let item = continuation(.node, option, depth: inner(it.depth), next: after)
      expand(opening(isFirst: count == 0, depth: it.depth, next: item))
    }
  }
}
