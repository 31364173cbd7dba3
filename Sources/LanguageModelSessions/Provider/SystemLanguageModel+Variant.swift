extension SystemLanguageModel {
  /// A variant of the system's model.
  ///
  /// Which variant a device has depends on its hardware; an app can read it, but can't choose it.
  public struct Variant: Hashable, Sendable {
    /// The name of the variant for users.
    public let displayName: String

    /// The model of most devices.
    public static let core3 = Variant(displayName: "AFM 3 Core")
    /// The larger model of devices with more memory.
    public static let coreAdvanced3 = Variant(displayName: "AFM 3 Core Advanced")
  }

  /// The variant of the model.
  ///
  /// Here, this is the name of the registered replacement, or `.core3` if there is none.
  public var variant: Variant {
    Self.standIn.name.map { Variant(displayName: $0) } ?? .core3
  }
}
