/// Expands `@SessionPropertyEntry` to a key with the default value, and to accessors that use the
/// key.
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
      // If the declaration has no type, a stored property lets the compiler infer the type from
      // the value.
      let body =
        property.type.map { "nonisolated static var defaultValue: \($0) { \(value) }" }
          ?? """
          @LanguageModelSessions.__SessionPropertyEntryDefaultValue
            nonisolated static var defaultValue = \(value)
          """
      return Expansion(
        source: """
          nonisolated struct \(key(property.name)): LanguageModelSessions.SessionPropertyKey {
            \(body)
          }
          """)
    }
  }

  static func accessors(declaration: String) -> Expansion {
    // The peer macro already reports the problem. Return accessors anyway, to avoid more compiler
    // errors.
    guard case .success(let property) = property(of: declaration) else {
      return Expansion(source: "{ get { fatalError() } set {} }")
    }
    let key = key(property.name)
    return Expansion(
      source: "{ get { self[\(key).self] } set { self[\(key).self] = newValue } }")
  }

  /// Returns the getter of `defaultValue`.
  ///
  /// The peer macro declares `defaultValue` as a stored property if the declaration has no type.
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
        Diagnostic(message: "`@SessionPropertyEntry` belongs on a `var` with a value", offset: 0))
    }
    let isOptional = property.type.map { $0.hasSuffix("?") || $0.hasPrefix("Optional<") } ?? false
    if property.value == nil, !isOptional {
      return .failure(
        Diagnostic(
          message:
            "`\(property.name)` needs an initial value for sessions that don't set it",
          offset: property.offset))
    }
    return .success(property)
  }
}

/// A stored property, as source text.
struct StoredProperty {
  var name: String
  var type: String?
  /// The source of the initial value.
  var value: String?
  var isConstant: Bool
  var offset: Int
}
