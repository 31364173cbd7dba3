import Observation
import Synchronization

/// The key of a value that the profiles, dynamic instructions and tools of a session share.
public protocol SessionPropertyKey: SendableMetatype {
  /// The type of the value.
  associatedtype Value

  /// The value of the property in a session that has not set it.
  static var defaultValue: Value { get }
}

/// Declares a session property in an extension of `SessionPropertyValues`.
///
/// The property must be a `var`. Until a session sets the property, it has its initial value, or
/// `nil` if it is optional and has no initial value.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro SessionPropertyEntry() =
  #externalMacro(module: "GuidedGenerationMacros", type: "SessionPropertyEntryMacro")

/// Generates the getter of a session property's default value, for `@SessionPropertyEntry`.
@attached(accessor)
public macro __SessionPropertyEntryDefaultValue() =
  #externalMacro(module: "GuidedGenerationMacros", type: "SessionPropertyDefaultMacro")

/// The values that the profiles, dynamic instructions and tools of a session share.
public final class SessionPropertyValues: Observable, @unchecked Sendable {
  /// The values of the session that is currently evaluating a profile, calling a tool or running an
  /// action.
  @TaskLocal static var current: SessionPropertyValues?

  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])
  private let registrar = ObservationRegistrar()
  private let session = Mutex<WeakSession>(WeakSession())

  private struct WeakSession {
    weak var session: LanguageModelSession?
  }

  /// A box for a value that need not be `Sendable`; the lock protects only the dictionary.
  private struct Held<Value>: @unchecked Sendable {
    let value: Value
  }

  init() {}

  /// A stand-in for all values: observation tracks key paths, so every read and write of a value is
  /// reported as an access to this property.
  private var count: Int { values.withLock(\.count) }

  func attach(to session: LanguageModelSession) {
    self.session.withLock { $0.session = session }
  }

  /// The value for a key, or the key's default value if the session has not set a value.
  ///
  /// - Parameter key: The key.
  public subscript<K: SessionPropertyKey>(key: K.Type) -> K.Value {
    get {
      registrar.access(self, keyPath: \.count)
      let held = values.withLock { $0[ObjectIdentifier(key)] }
      return (held as? Held<K.Value>)?.value ?? K.defaultValue
    }
    set {
      registrar.withMutation(of: self, keyPath: \.count) {
        let held = Held(value: newValue)
        values.withLock { $0[ObjectIdentifier(key)] = held }
      }
    }
  }

  /// The conversation without the leading instructions.
  ///
  /// Outside of a session, the history is empty.
  ///
  /// Setting this property changes the session's transcript permanently. A tool or an action of the
  /// session may do so during a request.
  public var history: Transcript.HistoryView {
    get { session.withLock { $0.session }?.transcript.history ?? [] }
    set { session.withLock { $0.session }?.transcript.history = newValue }
  }
}

extension LanguageModelSession {
  /// Accesses a property of the session that is using the profile, the instructions or the tool.
  ///
  /// Outside of a session, the property has its default value, and changes are lost. This is
  /// Assay's choice, because Apple's behavior is unknown.
  @propertyWrapper
  public struct SessionProperty<Value> {
    private let keyPath: ReferenceWritableKeyPath<SessionPropertyValues, Value>

    /// Creates a reference to a property of the session.
    ///
    /// - Parameter keyPath: The key path of the property.
    public init(_ keyPath: ReferenceWritableKeyPath<SessionPropertyValues, Value>) {
      self.keyPath = keyPath
    }

    /// The value of the property in the current session.
    public var wrappedValue: Value {
      get { (SessionPropertyValues.current ?? SessionPropertyValues())[keyPath: keyPath] }
      nonmutating set {
        (SessionPropertyValues.current ?? SessionPropertyValues())[keyPath: keyPath] = newValue
      }
    }
  }
}

// Key paths are immutable.
extension LanguageModelSession.SessionProperty: @unchecked Sendable where Value: Sendable {}

extension DynamicInstructions {
  /// A property of the session that is using the instructions.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension Tool {
  /// A property of the session that is using the tool.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension LanguageModelSession.DynamicProfile {
  /// A property of the session that is using the profile.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension LanguageModelSession.DynamicProfileModifier {
  /// A property of the session that is using the profile.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}
