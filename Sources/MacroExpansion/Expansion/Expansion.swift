/// The result of expanding a macro: generated source, and diagnostics for the declaration.
struct Expansion: Equatable {
  var source = ""
  var diagnostics: [Diagnostic] = []
}

/// A problem and its position, as an offset in UTF-8 bytes from the start of the declaration.
struct Diagnostic: Error, Equatable {
  var message: String
  var offset: Int
}
