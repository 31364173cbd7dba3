extension PatternParser {
  /// Parses a character class, `[…]`.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    let start = position
    position += 1
    let isInverted = take("^")
    // The ranges are joined once at the end, because a class may have thousands of members.
    var ranges: [ClosedRange<UInt32>] = []
    var foldable: [ClosedRange<UInt32>] = []
    while let scalar = peek(), scalar != "]" {
      try refuseClassSyntax(scalar)
      let lower = try classMember()
      guard peek() == "-", peek(1) != "]", peek(1) != nil else {
        if lower.single == nil { ranges += lower.ranges } else { foldable += lower.ranges }
        continue
      }
      let dash = position
      if peek(1) == "-" { try refuseClassSyntax("-") }
      position += 1
      if let next = peek() { try refuseClassSyntax(next) }
      let upper = try classMember()
      guard let first = lower.single, let last = upper.single else {
        throw PatternError(
          at: dash, "a range can't begin or end with a class",
          allowed: "a range goes from one character to another; write `\\-` for a hyphen")
      }
      guard first <= last else {
        throw PatternError(at: dash, "the characters of the range are in the wrong order")
      }
      foldable.append(first...last)
    }
    guard position > start + (isInverted ? 2 : 1) else {
      throw PatternError(
        at: start, "the class is empty", allowed: "write `\\[` or `\\]` for a bracket")
    }
    guard take("]") else {
      throw PatternError(
        at: start, "the class is not closed", allowed: "`]` closes it; write `\\[` for a bracket")
    }
    let set = try paid(ScalarSet(ranges + folded(ScalarSet(foldable)).ranges))
    let result = isInverted ? set.inverted : set
    guard !result.isEmpty else { throw PatternError(at: start, "the class matches nothing") }
    return result
  }

  private mutating func classMember() throws(PatternError) -> ScalarSet {
    if peek() == "\\" { return try paid(try escape(inClass: true)) }
    guard let scalar = peek() else {
      throw PatternError(at: position, "the class is not closed", allowed: "`]` closes it")
    }
    position += 1
    return ScalarSet(scalar)
  }

  /// Rejects syntax that has a special meaning inside a class in other dialects.
  private func refuseClassSyntax(_ scalar: Unicode.Scalar) throws(PatternError) {
    if scalar == "[" {
      let isPOSIX = peek(1) == ":" || peek(1) == "." || peek(1) == "="
      throw PatternError(
        at: position,
        isPOSIX ? "POSIX classes are not supported" : "classes within classes are not supported",
        allowed: "write `\\[` for a bracket; letters are `\\p{L}`, digits `\\d`")
    }
    if scalar == peek(1), scalar == "&" || scalar == "~" || (scalar == "-" && peek(2) != "]") {
      throw PatternError(
        at: position, "set operations are not supported",
        allowed: "write `\\\(scalar)` for the character")
    }
  }
}

extension ScalarSet {
  /// The only scalar of the set, or nil if the set doesn't have exactly one.
  var single: UInt32? {
    guard ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
