/// How many requests are in work at a time: more while they succeed, half when the server is
/// overloaded.
public struct ConcurrencyWindow: Sendable, Hashable {
  /// The most that it grows to.
  public let most: Int
  private var size: Double
  /// The number of requests begun so far; a request's number says whether a cut came after it.
  private var begun = 0
  private var lastCut = 0

  /// Makes a window.
  ///
  /// - Parameters:
  ///   - start: The size that it begins with.
  ///   - most: The most that it grows to.
  public init(start: Int = 8, most: Int = 32) {
    self.most = max(1, most)
    size = Double(min(max(1, start), self.most))
  }

  /// The number of requests that may be in work.
  public var limit: Int { max(1, Int(size)) }

  /// Counts a request that begins.
  ///
  /// - Returns: Its number.
  public mutating func begin() -> Int {
    begun += 1
    return begun
  }

  /// Grows by one for each windowful of successes.
  public mutating func succeeded() { size = min(Double(most), size + 1 / size) }

  /// Halves, once for all requests that were in work together.
  ///
  /// - Parameter number: The number of the request that the server had no room for.
  public mutating func congested(_ number: Int) {
    guard number > lastCut else { return }
    lastCut = begun
    size = max(1, size / 2)
  }
}
