import Synchronization

/// The identity of a generated value.
///
/// The identity stays the same while a response grows, and the next response gets a new identity.
/// In a session's snapshots, the response and each of its parts have separate identities. This is
/// Assay's choice, because Apple's behavior is unknown.
public struct GenerationID: Sendable, Hashable {
  private static let next = Atomic<UInt64>(1)

  private let number: UInt64
  /// The path from the value with this number to the part: one position per level, outermost first.
  private var path: [Int] = []

  /// Creates an identity that no other value in this process has.
  public init() { number = Self.next.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Returns the identity of a part, derived from the part's position in the value.
  func part(_ position: Int) -> GenerationID {
    var id = self
    id.path.append(position)
    return id
  }
}
