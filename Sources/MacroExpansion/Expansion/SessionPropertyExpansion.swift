/// What `@SessionPropertyEntry` becomes: a key that holds the default value, and accessors under it.
///
/// ```
/// @SessionPropertyEntry var tone: String = "dry"
///   ──►  var tone: String { get { self[__Key_tone.self] } set { … } }
///        struct __Key_tone: SessionPropertyKey { static var defaultValue: String { "dry" } }
/// ```
enum SessionPropertyExpansion {
  static func peer(declaration: String) -> Expansion {
    switch property(of: declaration) {
    case .failure(let diagnostic): return Expansion(diagnostics: [diagnostic])
    case .success(let property):
      let value = property.value ?? "nil"
      // Without a written type the compiler finds the value's: a stored property says it.
      let body =
        property.type.map { "nonisolated static var defaultValue: \($0) { \(value) }" }
          ?? """
          @GuidedGeneration.__SessionPropertyEntryDefaultValue
            nonisolated static var defaultValue = \(value)
          """
      return Expansion(
        source: """
          nonisolated struct \(key(property.name)): GuidedGeneration.SessionPropertyKey {
            \(body)
          }
          """)
    }
  }

  static func accessors(declaration: String) -> Expansion {
    // What is wrong is said by the peer, so that nothing of this compiles; without accessors the
    // compiler would say more.
    guard case .success(let property) = property(of: declaration) else {
      return Expansion(source: "{ get { fatalError() } set {} }")
    }
    let key = key(property.name)
    return Expansion(
      source: "{ get { self[\(key).self] } set { self[\(key).self] = newValue } }")
  }

  /// The accessor of the default value that the peer writes where the type is not written.
  static func defaultValue(declaration: String) -> Expansion {
    guard let property = OutlineParser.storedProperty(of: declaration), let value = property.value
    else { return Expansion() }
    return Expansion(source: "{ get { \(value) } }")
  }

  private static func key(_ name: String) -> String {
    "__Key_" + name.filter { $0 != "`" }
  }

  private static func property(
    of declaration: String
  ) -> Result<StoredProperty, Diagnostic> {
    guard let property = OutlineParser.storedProperty(of: declaration), !property.isConstant else {
      return .failure(
        Diagnostic(message: "`@SessionPropertyEntry` belongs to a `var` with a value", offset: 0))
    }
    let isOptional = property.type.map { $0.hasSuffix("?") || $0.hasPrefix("Optional<") } ?? false
    if property.value == nil, !isOptional {
      return .failure(
        Diagnostic(
          message:
            "`\(property.name)` needs a value: what it is in a session that has set no other",
          offset: property.offset))
    }
    return .success(property)
  }
}

/// A property as it is written.
struct StoredProperty {
  var name: String
  var type: String?
  /// The source of the initial value.
  var value: String?
  var isConstant: Bool
  var offset: Int
}
