/// A type as it is written in source text, and the facts that follow from the text.
struct TypeText {
  /// The type without the question mark of an optional.
  let base: String
  /// Whether the type is written as an optional.
  let isOptional: Bool
  private let tokens: [Token]

  init(_ text: String) {
    tokens = Scanner.tokens(of: text)
    var base = text[...]
    while let last = base.last, last.isWhitespace { base = base.dropLast() }
    isOptional = base.last == "?" || base.last == "!"
    self.base = String(isOptional ? base.dropLast() : base)
  }

  /// The type as it can be written in an expression, with `T?` instead of `T!`.
  var expression: String { isOptional ? base + "?" : base }

  /// The partially generated form of the type, as an optional.
  var partial: String { "\(base).PartiallyGenerated?" }

  /// Whether the type is `GenerationID`, which identifies a value and is not generated.
  var isGenerationID: Bool {
    base == "GenerationID" || base.hasSuffix(".GenerationID")
  }

  /// The reason why values of the type can't be generated, or advice on what to use instead.
  ///
  /// The property is `nil` if the text shows no problem.
  var problem: String? {
    guard let first = tokens.first else { return nil }
    if base.hasSuffix("?") { return "use a plain optional; JSON has only one null" }
    if base.contains("?]") { return "leave out the `?`; elements of an array can't be nil" }
    if tokens.contains(where: { $0.is("->") }) { return "functions can't be generated" }
    if first.is("any") || first.is("some") {
      return "use a concrete type, so that its schema is known"
    }
    if first.is("Dictionary") || isDictionary(tokens) {
      return "use an array of a struct with a key and a value instead of a dictionary"
    }
    if first.is("Set") { return "use an array instead of a set" }
    if first.is("("), tokens.contains(where: { $0.is(",") }) {
      return "use a struct instead of a tuple"
    }
    return nil
  }

  /// Returns whether the type is `[Key: Value]`, or an array of such dictionaries.
  private func isDictionary(_ tokens: [Token]) -> Bool {
    tokens.contains { $0.is(":") } && first(is: "[")
  }

  private func first(is text: String) -> Bool { tokens.first?.is(text) ?? false }
}
