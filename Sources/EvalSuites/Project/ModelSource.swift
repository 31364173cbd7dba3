/// A program whose cache of model files Assay can read.
package enum ModelSource: String, Sendable, CaseIterable {
  case ollama
  case lmStudio
  case huggingFace

  /// The part before the colon in the names of cached models.
  package var prefix: String {
    switch self {
    case .ollama: "ollama"
    case .lmStudio: "lmstudio"
    case .huggingFace: "hf"
    }
  }

  /// The name of the program.
  package var title: String {
    switch self {
    case .ollama: "Ollama"
    case .lmStudio: "LM Studio"
    case .huggingFace: "Hugging Face"
    }
  }
}

/// The name of a model in another program's cache: `ollama:llama3.2:1b`, `lmstudio:REPO` or
/// `hf:OWNER/REPO:FILE`.
package struct CachedModelName: Sendable, Hashable {
  /// The program that owns the cache.
  package let source: ModelSource
  /// The model's name in the cache.
  package let name: String

  /// Creates a name by parsing text, or returns `nil` if the text doesn't begin with the prefix of
  /// a known cache.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"),
      let source = ModelSource.allCases.first(where: { $0.prefix == text[..<colon] })
    else { return nil }
    self.source = source
    name = String(text[text.index(after: colon)...])
  }
}
