/// The limit on concurrent requests.
///
/// It grows while requests succeed, and halves when the server is overloaded.
public struct ConcurrencyWindow: Sendable, Hashable {
  /// The maximum size.
  public let most: Int
  private var size: Double
  /// The number of requests so far, which is also the latest request's number.
  private var begun = 0
  /// The number of the newest request at the time when the window was last halved.
  ///
  /// Requests with higher numbers began later.
  private var lastCut = 0

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - start: The initial size.
  ///   - most: The maximum size.
  public init(start: Int = 8, most: Int = 32) {
    self.most = max(1, most)
    size = Double(min(max(1, start), self.most))
  }

  /// The maximum number of concurrent requests.
  public var limit: Int { max(1, Int(size)) }

  /// Counts a new request.
  ///
  /// - Returns: The request's number.
  public mutating func begin() -> Int {
    begun += 1
    return begun
  }

  /// Grows the window a little: a full window of successes adds one to its size.
  public mutating func succeeded() { size = min(Double(most), size + 1 / size) }

  /// Halves the window, but only once for requests that were in progress at the same time.
  ///
  /// - Parameter number: The number of the request that the server rejected.
  public mutating func congested(_ number: Int) {
    guard number > lastCut else { return }
    lastCut = begun
    size = max(1, size / 2)
  }
}
