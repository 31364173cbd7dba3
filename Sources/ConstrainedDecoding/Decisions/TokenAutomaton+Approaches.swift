/// Finds the decisions that must come next, if only one text can come before them.
extension TokenAutomaton {
  /// *Settled text*: the only bytes that can come before the next decision, without optional white
  /// space.
  struct SettledText {
    var bytes: [UInt8]
    /// The decisions after these bytes.
    var sites: [UInt32]
  }

  /// The maximum number of bytes to look ahead.
  private static var longestSettledText: Int { 256 }
  /// The maximum number of possible next bytes; the search ends at a place that has more.
  private static var mostFirstBytes: Int { 4 }

  /// Returns the settled text at a configuration, or nil if there is none.
  ///
  /// The result is nil if there is a decision at the place itself, if several texts can come before
  /// the next decision, or if the next decision is too far away.
  ///
  /// ```
  /// after {           settled text "words":[     decision: an element or the end of the array
  /// after {"words":   settled text [             the same decision
  /// ```
  func settledText(at configuration: Configuration) -> SettledText? {
    if let known = decisionCache.settled[configuration] { return known }
    let found = findSettledText(configuration)
    remember(bytes: 64 + (found?.bytes.count ?? 0))
    decisionCache.settled[configuration] = .some(found)
    return found
  }

  private func findSettledText(_ configuration: Configuration) -> SettledText? {
    if headers[Int(configuration)].siteCount > 0 { return nil }
    var place = configuration
    var bytes: [UInt8] = []
    while bytes.count < Self.longestSettledText, let byte = settledByte(at: place) {
      bytes.append(byte)
      place = successor(place, byte)
      let sites = sites(at: place)
      if !sites.isEmpty { return SettledText(bytes: bytes, sites: sites) }
    }
    return nil
  }

  /// Returns the only byte that can follow apart from optional white space, or nil if there is no
  /// such byte.
  private func settledByte(at configuration: Configuration) -> UInt8? {
    if isComplete(configuration) { return nil }
    var bytes = firstBytes(configuration)
    if isLayout(UInt8(ascii: " "), at: configuration) { bytes = bytes.subtracting(.whitespace) }
    guard bytes.count <= Self.mostFirstBytes else { return nil }
    var only: UInt8?
    var count = 0
    bytes.forEach { byte in
      if count < 2, successor(configuration, byte) != Self.dead {
        only = byte
        count += 1
      }
    }
    return count == 1 ? only : nil
  }
}
