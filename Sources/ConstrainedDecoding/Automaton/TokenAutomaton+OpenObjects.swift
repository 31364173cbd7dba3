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
          grammar.punctuation.closeArray, isEmpty: it.count == 0, depth: it.depth, next: it.next))
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
    var index: Int
    var count: Int
  }

  private func place(_ number: UInt32, in object: Grammar.OpenObject) -> Place {
    let (count, index) = Int(number).quotientAndRemainder(dividingBy: object.members.count + 1)
    return Place(index: index, count: count)
  }

  private func number(_ place: Place, in object: Grammar.OpenObject) -> UInt32 {
    let most = object.maximum.map { Int($0) } ?? max(1, Int(object.minimum))
    return UInt32(min(place.count, most) * (object.members.count + 1) + place.index)
  }

  /// Expands an open object.
  ///
  /// Declared members come first, in order, and members with other keys follow. The model may leave
  /// out any optional member as long as the object can still meet its bounds.
  func expandOpenObject(_ it: Continuation) {
    guard case .openObject(let object) = grammar.nodes[Int(it.argument)] else { return }
    let place = place(it.count, in: object)
    let room = object.maximum.map { Int($0) - place.count } ?? .max
    let missing = Int(object.minimum) - place.count
    var index = place.index
    var reachable =
      missing > 0 ? reachableCount(from: index, in: object, before: it.next) : .max
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
          grammar.punctuation.closeObject, isEmpty: place.count == 0, depth: it.depth,
          next: it.next))
    }
    if room <= 0 { return }
    let after = continuation(
      .openObject, it.argument,
      count: number(Place(index: index, count: place.count + 1), in: object), depth: it.depth,
      next: it.next)
    for extra in object.extras where fits(extra.node, before: it.next, inside: 1) {
      let value = continuation(.node, extra.node, depth: inner(it.depth), next: after)
      let colon = space(continuation(.states, grammar.punctuation.colon, next: space(value)))
      let key =
        extra.key.map { continuation(.states, $0, next: colon) }
        ?? continuation(.string, 0, next: colon)
      expand(opening(isFirst: place.count == 0, depth: it.depth, next: key))
    }
  }

  /// Returns how many more members an object can have within the maximum nesting depth, or `.max`
  /// if it can have any number of members with unnamed keys.
  private func reachableCount(
    from index: Int, in object: Grammar.OpenObject, before next: UInt32
  ) -> Int {
    if object.extras.contains(where: { fits($0.node, before: next, inside: 1) }) { return .max }
    return object.members[index...].count { isPossible($0, before: next) }
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
    var key = value
    if isVarying {
      key = space(continuation(.states, grammar.punctuation.colon, next: space(value)))
    }
    key = continuation(.states, member.key, next: key)
    return opening(isFirst: isFirst, depth: it.depth, next: key)
  }
}
