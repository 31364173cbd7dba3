import Synchronization

/// What identifies a generated value while it grows: stable for one response, new for the next.
public struct GenerationID: Sendable, Hashable {
  private static let next = Atomic<UInt64>(1)

  private let number: UInt64

  /// Makes an identity that no other value of this process has.
  public init() { number = Self.next.wrappingAdd(1, ordering: .relaxed).oldValue }
}
