/// Finds decisions that lie ahead behind text without a choice.
extension TokenAutomaton {
  /// The bytes that must come up to the next decision, beside white space that varies.
  struct SettledText {
    var bytes: [UInt8]
    /// The decisions there.
    var sites: [UInt32]
  }

  /// The most bytes that are looked ahead.
  private static var longestSettledText: Int { 256 }
  /// Places where more bytes can follow are not looked into.
  private static var mostFirstBytes: Int { 4 }

  /// The text that must come up to the next decision; nil if a decision stands at the place itself, or
  /// if the schema leaves a choice before the next one.
  ///
  /// ```
  /// after {           "words":[          the end of the array
  /// after {"words":   [                  the same
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

  /// The only byte that can follow, white space that varies aside.
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
