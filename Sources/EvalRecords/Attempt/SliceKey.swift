/// The identity of a slice: one suite in one variant on one backend.
public struct SliceKey: Sendable, Hashable, Codable {
  /// The suite's id.
  public var suite: String
  /// The variant's id.
  public var variant: String
  /// The backend's id.
  public var backend: String

  /// Creates a key.
  public init(suite: String, variant: String, backend: String) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
  }
}

extension AttemptKey {
  /// The slice to which the attempt belongs.
  public var slice: SliceKey { SliceKey(suite: suite, variant: variant, backend: backend) }
}
