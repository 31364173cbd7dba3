/// What a macro becomes: source, and what is wrong with what it was attached to.
struct Expansion: Equatable {
  var source = ""
  var diagnostics: [Diagnostic] = []
}

/// What is wrong, and where: an offset in UTF-8 bytes from where the declaration begins.
struct Diagnostic: Error, Equatable {
  var message: String
  var offset: Int
}
