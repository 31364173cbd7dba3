/// The syntax tree of a pattern.
indirect enum PatternNode: Sendable, Hashable {
  case empty
  case scalar(of: ScalarSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A repetition; the maximum is nil if there is no limit.
  case repetition(PatternNode, min: Int, max: Int?)
  case startOfText(offset: Int)
  case endOfText(offset: Int)
  /// `\b`, or `\B` if negated.
  case wordBoundary(isNegated: Bool)

  /// Returns a sequence of nodes, simplified by leaving out empty nodes.
  static func joined(_ parts: [PatternNode]) -> PatternNode {
    let real = parts.filter { $0 != .empty }
    return real.isEmpty ? .empty : real.count == 1 ? real[0] : .sequence(real)
  }

  /// Returns a repetition of a node, simplified if the node is empty.
  static func repeated(_ node: PatternNode, min: Int, max: Int?) -> PatternNode {
    if node == .empty || max == 0 { return .empty }
    return min == 1 && max == 1 ? node : .repetition(node, min: min, max: max)
  }

  /// Throws an error if anything comes before `^` or after `$`, even if only through repetition, as
  /// in `(?:^a)*`.
  ///
  /// Several anchors at one place count as one: `^^a` means `^a`.
  ///
  /// - Parameters:
  ///   - atStart: Whether nothing comes before this node.
  ///   - atEnd: Whether nothing comes after this node.
  func checkAnchors(atStart: Bool, atEnd: Bool) throws(PatternError) {
    switch self {
    case .empty, .scalar, .wordBoundary: break
    case .startOfText(let offset):
      if !atStart {
        throw PatternError(
          at: offset, "the anchor `^` comes after something, or is repeated",
          allowed: "`^` may only begin the pattern or one of its alternatives")
      }
    case .endOfText(let offset):
      if !atEnd {
        throw PatternError(
          at: offset, "the anchor `$` comes before something, or is repeated",
          allowed: "`$` may only end the pattern or one of its alternatives")
      }
    case .choice(let branches):
      for branch in branches { try branch.checkAnchors(atStart: atStart, atEnd: atEnd) }
    case .repetition(let node, _, _):
      try node.checkAnchors(atStart: false, atEnd: false)
    case .sequence(let parts):
      let lead = parts.prefix { if case .startOfText = $0 { true } else { false } }.count
      let tail = parts.reversed().prefix { if case .endOfText = $0 { true } else { false } }.count
      for (index, part) in parts.enumerated() {
        try part.checkAnchors(
          atStart: atStart && index <= lead, atEnd: atEnd && index >= parts.count - 1 - tail)
      }
    }
  }
}
