import Observation
import Synchronization

/// A value that profiles, dynamic instructions and tools of a session share.
public protocol SessionPropertyKey: SendableMetatype {
  /// The type of the value.
  associatedtype Value

  /// The value in a session that has not set another.
  static var defaultValue: Value { get }
}

/// Declares a property of sessions in an extension of `SessionPropertyValues`.
///
/// The initial value is what the property has in a session that has not set another.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro SessionPropertyEntry() =
  #externalMacro(module: "GuidedGenerationMacros", type: "SessionPropertyEntryMacro")

/// Makes the default value of a session's property; `@SessionPropertyEntry` writes it.
@attached(accessor)
public macro __SessionPropertyEntryDefaultValue() =
  #externalMacro(module: "GuidedGenerationMacros", type: "SessionPropertyDefaultMacro")

/// The values that profiles, dynamic instructions and tools of a session share.
public final class SessionPropertyValues: Observable, @unchecked Sendable {
  /// The values of the session that is asking for a profile, calling a tool or telling an event.
  @TaskLocal static var current: SessionPropertyValues?

  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])
  private let registrar = ObservationRegistrar()
  private let session = Mutex<WeakSession>(WeakSession())

  private struct WeakSession {
    weak var session: LanguageModelSession?
  }

  /// A value that is only touched under the lock.
  private struct Held<Value>: @unchecked Sendable {
    let value: Value
  }

  init() {}

  /// What observers are told of: any of the values.
  private var count: Int { values.withLock(\.count) }

  func attach(to session: LanguageModelSession) {
    self.session.withLock { $0.session = session }
  }

  /// The value under a key.
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

  /// The conversation without the instructions at its beginning.
  ///
  /// Setting it changes the transcript of the session for good.
  public var history: ArraySlice<Transcript.Entry> {
    get { session.withLock { $0.session }?.transcript.history ?? [] }
    set { session.withLock { $0.session }?.transcript.history = newValue }
  }
}

extension LanguageModelSession {
  /// A property of the session that uses the profile, the instructions or the tool.
  ///
  /// Where no session does, it has its default value, and what is set is lost.
  @propertyWrapper
  public struct SessionProperty<Value> {
    private let keyPath: ReferenceWritableKeyPath<SessionPropertyValues, Value>

    /// Creates a reference to a property.
    ///
    /// - Parameter keyPath: Which property.
    public init(_ keyPath: ReferenceWritableKeyPath<SessionPropertyValues, Value>) {
      self.keyPath = keyPath
    }

    public var wrappedValue: Value {
      get { (SessionPropertyValues.current ?? SessionPropertyValues())[keyPath: keyPath] }
      nonmutating set {
        (SessionPropertyValues.current ?? SessionPropertyValues())[keyPath: keyPath] = newValue
      }
    }
  }
}

// A key path is a value that never changes.
extension LanguageModelSession.SessionProperty: @unchecked Sendable where Value: Sendable {}

extension DynamicInstructions {
  /// A property of the session that uses the instructions.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension Tool {
  /// A property of the session that uses the tool.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension LanguageModelSession.DynamicProfile {
  /// A property of the session that uses the profile.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension LanguageModelSession.DynamicProfileModifier {
  /// A property of the session that uses the profile.
  public typealias SessionProperty = LanguageModelSession.SessionProperty
}
