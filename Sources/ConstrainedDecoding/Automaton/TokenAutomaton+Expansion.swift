/// The threads and sites that a continuation adds to a configuration, and whether the value can be
/// complete without another byte.
struct Expansion {
  var threads: [Thread]
  var sites: [UInt32]
  var isComplete: Bool
}

/// Expands continuations: when a part ends, finds the threads for everything that can come next.
///
/// A byte advances each thread within its current part. If the part may end after the byte, `begin`
/// expands the first part of the thread's continuation, and goes on until every alternative begins
/// with a byte. A token in which four parts end causes four expansions:
///
/// ```
/// token "},{"   in the last member of the first card of {"cards":[{…   (1 to 8 cards)
///
///   byte                     the list that `begin` unfolds                  what can come next
///   "   the string ends      object, no member left ► array, 1 element …    }
///   }   its bracket ends     array, 1 element ► …                           , or ]  (a site)
///   ,   the comma ends       node of a card ► array, 2 elements ► …         {
///   {   its bracket ends     object, next member 0 ► array, 2 elements …    "question":
///   "   is a byte of the key: no part ends
/// ```
///
/// The automaton computes each expansion only once: `begin` caches the result, and `successor`
/// caches the configuration to which the byte leads.
extension TokenAutomaton {
  /// Adds to the draft configuration the threads and sites with which a continuation begins.
  ///
  /// The first call for a continuation computes them with `expand`; later calls reuse them.
  func begin(_ number: UInt32) {
    if let known = continuations.expansions[number] {
      draft.threads += known.threads
      draft.sites += known.sites
      if known.isComplete { draft.isComplete = true }
      return
    }
    let before = (
      threads: draft.threads.count, sites: draft.sites.count, isComplete: draft.isComplete
    )
    draft.isComplete = false
    expand(number)
    // The next continuation may contain the same unions.
    if !draft.unions.isEmpty { draft.unions.removeAll(keepingCapacity: true) }
    continuations.expansions[number] = Expansion(
      threads: Array(draft.threads[before.threads...]),
      sites: Array(draft.sites[before.sites...]), isComplete: draft.isComplete)
    grow(by: 64 + (draft.threads.count - before.threads) * MemoryLayout<Thread>.stride)
    if before.isComplete { draft.isComplete = true }
  }

  /// Computes the threads and sites with which a continuation begins, and adds them to the draft
  /// configuration.
  ///
  /// If an array, an optional member, a union or a string enum leaves a choice, the method also
  /// records the continuation as a site. A session can then tell from the text which option the
  /// model took there. The method records only the outermost site. `sites(at:)` expands each option
  /// separately, and so finds the sites inside the option. If this method recorded all sites, each
  /// place in a chain of optional members would have a site for every remaining member, even if
  /// nobody records decisions.
  ///
  /// ```
  /// { a?, b?, c? } after {      recorded      a   (expanding "no a" alone records b, and expanding
  ///                                                "no b" after that records c)
  ///                             sites(at:)    a, b, c
  /// ```
  ///
  /// The recursion is bounded. The compiler rejects cycles of unions and references. From an absent
  /// member, the method goes on to the next member. From white space, which may be empty, it goes
  /// on to the part after the white space. Everything else begins with a byte.
  func expand(_ number: UInt32) {
    let continuation = continuations[number]
    switch continuation.kind {
    case .end: draft.isComplete = true
    case .states: add(continuation.argument, next: continuation.next)
    case .string: addString(Int(continuation.argument), next: continuation.next)
    case .indentation:
      draft.threads.append(
        Thread(
          kind: Thread.indentation, state: UInt32(continuation.depth) * 4,
          next: continuation.next))
    case .node: expandNode(number, continuation)
    case .array: expandArray(number, continuation)
    case .object: expandObject(number, continuation)
    case .anyValue: expandAnyValue(continuation)
    case .anyArray: expandAnyArray(continuation)
    case .anyObject: expandAnyObject(continuation)
    case .tuple: expandTuple(continuation)
    case .set: expandSet(continuation)
    case .openObject: expandOpenObject(continuation)
    }
  }

  /// Expands an option of a recorded site, without recording the sites inside it.
  func expandQuietly(_ number: UInt32) {
    let count = draft.sites.count
    expand(number)
    draft.sites.removeSubrange(count...)
  }

  private func addString(_ length: Int, next: UInt32) {
    draft.threads.append(
      Thread(
        kind: Thread.firstString + UInt32(length), state: UInt32(StringAutomaton.start),
        next: next))
  }

  private func expandNode(_ number: UInt32, _ it: Continuation) {
    guard fits(it.argument, before: it.next) else { return }
    switch grammar.nodes[Int(it.argument)] {
    case .states(let state): add(state, next: it.next)
    case .string(let length): addString(length, next: it.next)
    case .choice(let set):
      draft.sites.append(number)
      add(grammar.choiceSets[set].start, next: it.next)
    case .alias(let node): expand(continuation(.node, node, depth: it.depth, next: it.next))
    case .object:
      add(
        grammar.punctuation.openObject,
        next: continuation(.object, it.argument, depth: it.depth, next: it.next))
    case .array:
      add(
        grammar.punctuation.openArray,
        next: continuation(.array, it.argument, depth: it.depth, next: it.next))
    case .tuple:
      add(
        grammar.punctuation.openArray,
        next: continuation(.tuple, it.argument, depth: it.depth, next: it.next))
    case .set:
      add(
        grammar.punctuation.openArray,
        next: continuation(.set, it.argument, depth: it.depth, next: it.next))
    case .openObject:
      add(
        grammar.punctuation.openObject,
        next: continuation(.openObject, it.argument, depth: it.depth, next: it.next))
    case .union(let union):
      draft.sites.append(number)
      // Unions may share options over many levels, so expand each union only once.
      guard draft.unions.insert(number).inserted else { return }
      for option in union.options {
        expandQuietly(continuation(.node, option, depth: it.depth, next: it.next))
      }
    case .any(let depth):
      expand(continuation(.anyValue, depth, depth: it.depth, next: it.next))
    }
  }

  // MARK: Arrays

  private func expandArray(_ number: UInt32, _ it: Continuation) {
    let options = arrayOptions(it)
    if options.element != nil, options.end != nil { draft.sites.append(number) }
    let isSite = options.element != nil && options.end != nil
    if let end = options.end { isSite ? expandQuietly(end) : expand(end) }
    if let element = options.element { isSite ? expandQuietly(element) : expand(element) }
  }

  /// Returns the two ways to continue inside an array; a way is nil if a bound or the nesting depth
  /// forbids it.
  ///
  /// The white space before an option is part of that option, so the decision comes before the
  /// white space.
  func arrayOptions(_ it: Continuation) -> (element: UInt32?, end: UInt32?) {
    guard case .array(let element, let minimum, let maximum) = grammar.nodes[Int(it.argument)]
    else { return (nil, nil) }
    var options: (element: UInt32?, end: UInt32?) = (nil, nil)
    if it.count >= minimum {
      options.end = closing(
        grammar.punctuation.closeArray, isEmpty: it.count == 0, of: it)
    }
    if it.count < maximum ?? .max, fits(element, before: it.next, inside: 1) {
      // Without an upper bound, the count matters only up to the lower bound (or up to one).
      let count = maximum == nil ? min(it.count + 1, max(minimum, 1)) : it.count + 1
      let after = continuation(
        .array, it.argument, count: count, depth: it.depth, next: it.next)
      let item = continuation(.node, element, depth: inner(it.depth), next: after)
      options.element = opening(isFirst: it.count == 0, depth: it.depth, next: item)
    }
    return options
  }

  /// Returns the nesting depth of the elements or members of a container at the given depth.
  func inner(_ depth: UInt16) -> UInt16 { depth < 1 << 13 ? depth + 1 : depth }

  /// Returns the continuation for what comes before an element or a key: a comma (except before the
  /// first element or key), white space, and then `next`.
  func opening(isFirst: Bool, depth: UInt16, next: UInt32) -> UInt32 {
    var result = next
    if isPretty { result = continuation(.indentation, 0, depth: inner(depth), next: result) }
    let nesting = continuations.nesting(of: next)
    result = space(result) { $0.state(atDepth: nesting) }
    if isFirst { return result }
    return space(continuation(.states, grammar.punctuation.comma, next: result)) {
      $0.state(atDepth: nesting)
    }
  }

  /// Returns the continuation that ends an array or object: white space, the closing bracket, and
  /// then what comes after the array or object.
  ///
  /// - Parameters:
  ///   - bracket: The state before the closing bracket.
  ///   - isEmpty: Whether the array or object is empty.
  ///   - it: The remainder of the array or object.
  func closing(_ bracket: UInt32, isEmpty: Bool, of it: Continuation) -> UInt32 {
    let end = continuation(.states, bracket, next: it.next)
    if isPretty && !isEmpty { return continuation(.indentation, 0, depth: it.depth, next: end) }
    if !isVarying { return end }
    let nesting = continuations.nesting(of: it.next) + 1
    return space(end) { $0.state(atDepth: nesting) }
  }

  /// Returns a continuation with white space before it if the grammar has optional white space, and
  /// otherwise the continuation itself.
  ///
  /// - Parameters:
  ///   - next: The continuation.
  ///   - state: A closure that returns the state before the white space, given the bound.
  private func space(_ next: UInt32, from state: (WhitespaceBound) -> Int) -> UInt32 {
    if !isVarying { return next }
    let first = isFlexible ? 0 : UInt32(state(grammar.options.whitespaceBound))
    return continuation(.states, grammar.punctuation.space + first, next: next)
  }

  /// Returns the continuation for what comes between a key and its value: the colon with its white
  /// space, and then `value`.
  func colon(before value: UInt32) -> UInt32 {
    let next = space(value) { $0.stateBesideColon }
    return space(continuation(.states, grammar.punctuation.colon, next: next)) {
      $0.stateBesideColon
    }
  }

  // MARK: Objects

  private func expandObject(_ number: UInt32, _ it: Continuation) {
    guard case .object(let object) = grammar.nodes[Int(it.argument)] else { return }
    var index = Int(it.count >> 1)
    if index < object.members.count, !fits(object.members[index], of: it) {
      // An optional member that would be nested too deeply is left out; this is not a decision.
      return expand(
        continuation(.object, it.argument, count: it.count + 2, depth: it.depth, next: it.next))
    }
    let isSite = index < object.members.count && object.members[index].isOptional
    if isSite { draft.sites.append(number) }
    let siteCount = draft.sites.count
    while index < object.members.count {
      if fits(object.members[index], of: it) { expand(member(index, of: object, it)) }
      if !object.members[index].isOptional { break }
      index += 1
    }
    if index == object.members.count { expand(objectEnd(it)) }
    if isSite { draft.sites.removeSubrange(siteCount...) }
  }

  private func fits(_ member: Grammar.Member, of it: Continuation) -> Bool {
    !member.isOptional || fits(member.node, before: it.next, inside: 1)
  }

  /// Returns the two ways to continue before an optional member, or nil if no such member comes
  /// next.
  func optionalOptions(_ it: Continuation) -> (present: UInt32, absent: UInt32)? {
    guard case .object(let object) = grammar.nodes[Int(it.argument)] else { return nil }
    let index = Int(it.count >> 1)
    guard index < object.members.count, object.members[index].isOptional else { return nil }
    let absent = continuation(
      .object, it.argument, count: it.count + 2, depth: it.depth, next: it.next)
    return (member(index, of: object, it), absent)
  }

  private func objectEnd(_ it: Continuation) -> UInt32 {
    closing(
      grammar.punctuation.closeObject, isEmpty: it.count & 1 == 0, of: it)
  }

  private func member(_ index: Int, of object: Grammar.Object, _ it: Continuation) -> UInt32 {
    let member = object.members[index]
    let isFirst = it.count & 1 == 0
    let after = continuation(
      .object, it.argument, count: UInt32(index + 1) << 1 | 1, depth: it.depth, next: it.next)
    let value = continuation(.node, member.node, depth: inner(it.depth), next: after)
    if isPretty || isVarying {
      let key = continuation(
        .states, member.key, next: isVarying ? colon(before: value) : value)
      return opening(isFirst: isFirst, depth: it.depth, next: key)
    }
    return continuation(.states, isFirst ? member.key : member.commaKey, next: value)
  }

  // MARK: Anything

  private func expandAnyValue(_ it: Continuation) {
    for scalar in grammar.punctuation.anyScalars { add(scalar, next: it.next) }
    addString(0, next: it.next)
    if it.argument == 0 || !fitsContainer(before: it.next) { return }
    add(
      grammar.punctuation.openArray,
      next: continuation(.anyArray, it.argument - 1, depth: it.depth, next: it.next))
    add(
      grammar.punctuation.openObject,
      next: continuation(.anyObject, it.argument - 1, depth: it.depth, next: it.next))
  }

  private func expandAnyArray(_ it: Continuation) {
    let isEmpty = it.count == 0
    expand(
      closing(
        grammar.punctuation.closeArray, isEmpty: isEmpty, of: it))
    let after = continuation(.anyArray, it.argument, count: 1, depth: it.depth, next: it.next)
    let value = continuation(.anyValue, it.argument, depth: inner(it.depth), next: after)
    expand(opening(isFirst: isEmpty, depth: it.depth, next: value))
  }

  private func expandAnyObject(_ it: Continuation) {
    let isEmpty = it.count == 0
    expand(
      closing(
        grammar.punctuation.closeObject, isEmpty: isEmpty, of: it))
    let after = continuation(.anyObject, it.argument, count: 1, depth: it.depth, next: it.next)
    let value = continuation(.anyValue, it.argument, depth: inner(it.depth), next: after)
    let key = continuation(.string, 0, next: colon(before: value))
    expand(opening(isFirst: isEmpty, depth: it.depth, next: key))
  }
}
