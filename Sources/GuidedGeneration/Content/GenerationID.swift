import Synchronization

/// What identifies a generated value while it grows: stable for one response, new for the next.
public struct GenerationID: Sendable, Hashable {
  private static let next = Atomic<UInt64>(1)

  private let number: UInt64
  /// The positions of the parts that lead here from the value that has the number.
  private var path: [Int] = []

  /// Creates an identity that no other value of this process has.
  public init() { number = Self.next.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// The identity of a part of the value: the same whenever the part is at the same place.
  func part(_ position: Int) -> GenerationID {
    var id = self
    id.path.append(position)
    return id
  }
}
