/// A program whose cache of model files Assay can use.
package enum ModelSource: String, Sendable, CaseIterable {
  case ollama
  case lmStudio
  case huggingFace

  /// The word before the colon in names of models.
  package var prefix: String {
    switch self {
    case .ollama: "ollama"
    case .lmStudio: "lmstudio"
    case .huggingFace: "hf"
    }
  }

  /// The program's own name.
  package var title: String {
    switch self {
    case .ollama: "Ollama"
    case .lmStudio: "LM Studio"
    case .huggingFace: "Hugging Face"
    }
  }
}

/// A name of a model in the cache of another program: `ollama:llama3.2:1b`, `lmstudio:REPO` or
/// `hf:OWNER/REPO:FILE`.
package struct CachedModelName: Sendable, Hashable {
  /// The cache.
  package let source: ModelSource
  /// The name in the cache.
  package let name: String

  /// Reads a name; nil if it doesn't begin with the prefix of a cache.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"),
      let source = ModelSource.allCases.first(where: { $0.prefix == text[..<colon] })
    else { return nil }
    self.source = source
    name = String(text[text.index(after: colon)...])
  }
}
