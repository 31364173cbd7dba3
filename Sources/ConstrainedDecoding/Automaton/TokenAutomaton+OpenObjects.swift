/// Expands open objects, and arrays with a prefix.
///
/// An *open object* may have *unnamed* keys (keys that the schema doesn't name), or has bounds on
/// the number of its members. An array with a *prefix* has separate schemas for its first elements.
extension TokenAutomaton {
  func expandTuple(_ it: Continuation) {
    guard case .tuple(let tuple) = grammar.nodes[Int(it.argument)] else { return }
    if it.count >= tuple.minimum {
      expand(
        closing(
          grammar.punctuation.closeArray, isEmpty: it.count == 0, of: it))
    }
    let index = Int(it.count)
    guard it.count < tuple.maximum ?? .max,
      let element = index < tuple.prefix.count ? tuple.prefix[index] : tuple.element,
      fits(element, before: it.next, inside: 1)
    else { return }
    // Without an upper bound, the count matters only up to the end of the prefix and the lower
    // bound.
    let last = max(UInt32(tuple.prefix.count), max(tuple.minimum, 1))
    let count = tuple.maximum == nil ? min(it.count + 1, last) : it.count + 1
    let after = continuation(.tuple, it.argument, count: count, depth: it.depth, next: it.next)
    let item = continuation(.node, element, depth: inner(it.depth), next: after)
    expand(opening(isFirst: it.count == 0, depth: it.depth, next: item))
  }

  /// A place in an open object: the next declared member, and the number of members so far.
  ///
  /// The automaton counts members only as far as a bound requires.
  private struct Place {
    /// The index of the next declared member; after the last one, the index goes on growing with
    /// each unnamed key, as long as the object has to count them.
    var index: Int
    var count: Int
  }

  private func place(_ number: UInt32, in object: Grammar.OpenObject) -> Place {
    let width = object.members.count + object.countedKeys + 1
    let (count, index) = Int(number).quotientAndRemainder(dividingBy: width)
    return Place(index: index, count: count)
  }

  private func number(_ place: Place, in object: Grammar.OpenObject) -> UInt32 {
    let last = object.members.count + object.countedKeys
    let most = object.maximum.map { Int($0) } ?? max(1, Int(object.minimum))
    return UInt32(min(place.count, most) * (last + 1) + min(place.index, last))
  }

  /// Expands an open object.
  ///
  /// Declared members come first, in order, and members with other keys follow. The model may leave
  /// out any optional member as long as the object can still meet its bounds with the keys that are
  /// left. `Matcher` prevents duplicate keys, so the number of unnamed keys so far says how many of
  /// them are left.
  func expandOpenObject(_ it: Continuation) {
    guard case .openObject(let object) = grammar.nodes[Int(it.argument)] else { return }
    let place = place(it.count, in: object)
    let room = object.maximum.map { Int($0) - place.count } ?? .max
    let missing = Int(object.minimum) - place.count
    var index = place.index
    let extras = object.extras.filter { fits($0.node, before: it.next, inside: 1) }
    let keysLeft = keysLeft(extras, used: index - object.members.count)
    var reachable = Int.max
    if missing > 0, keysLeft != .max {
      reachable =
        keysLeft + object.members.dropFirst(index).count { isPossible($0, before: it.next) }
    }
    while index < object.members.count {
      let member = object.members[index]
      let after = Place(index: index + 1, count: place.count + 1)
      let isRoom = room > Int(object.requiredFrom[index + 1])
      let isPossible = isPossible(member, before: it.next)
      if isRoom, isPossible {
        expand(declared(member, after: number(after, in: object), place, it))
      }
      if !member.isOptional { return }
      index += 1
      if isPossible, reachable != .max { reachable -= 1 }
      if missing > reachable { return }
    }
    if missing <= 0 {
      expand(
        closing(
          grammar.punctuation.closeObject, isEmpty: place.count == 0, of: it))
    }
    if room <= 0 || keysLeft == 0 { return }
    let after = continuation(
      .openObject, it.argument,
      count: number(Place(index: index + 1, count: place.count + 1), in: object), depth: it.depth,
      next: it.next)
    for extra in extras {
      let value = continuation(.node, extra.node, depth: inner(it.depth), next: after)
      let colon = colon(before: value)
      let key =
        extra.key.map { continuation(.states, $0, next: colon) }
        ?? continuation(.string, 0, next: colon)
      expand(opening(isFirst: place.count == 0, depth: it.depth, next: key))
    }
  }

  /// Returns how many more unnamed keys an object can have, or `.max` if there is no limit.
  ///
  /// - Parameters:
  ///   - extras: The unnamed keys whose values stay within the maximum nesting depth.
  ///   - used: The number of unnamed keys so far; it's only exact if no extra is unlimited.
  private func keysLeft(_ extras: [Grammar.Extra], used: Int) -> Int {
    var possible = 0
    for extra in extras {
      guard let count = extra.keyCount else { return .max }
      possible += count
    }
    return possible - max(0, used)
  }

  private func isPossible(_ member: Grammar.Member, before next: UInt32) -> Bool {
    !member.isOptional || fits(member.node, before: next, inside: 1)
  }

  private func declared(
    _ member: Grammar.Member, after: UInt32, _ place: Place, _ it: Continuation
  ) -> UInt32 {
    let rest = continuation(
      .openObject, it.argument, count: after, depth: it.depth, next: it.next)
    let value = continuation(.node, member.node, depth: inner(it.depth), next: rest)
    let isFirst = place.count == 0
    if !isPretty && !isVarying {
      return continuation(.states, isFirst ? member.key : member.commaKey, next: value)
    }
    let key = continuation(.states, member.key, next: isVarying ? colon(before: value) : value)
    return opening(isFirst: isFirst, depth: it.depth, next: key)
  }
}
