import EvalSuites
import StructuredText

/// The model files that Ollama, LM Studio and Hugging Face's programs keep on this machine.
///
/// Assay doesn't trust the contents of the caches. A damaged manifest, or a link that leads out of
/// the cache of Ollama or Hugging Face, makes one model unusable but doesn't hide other models.
package struct ModelCaches: Sendable {
  private let environment: [String: String]
  private let files: FileReading

  /// Creates a view of the caches.
  ///
  /// - Parameters:
  ///   - environment: The environment variables, which say where the caches are.
  ///   - files: The access to files.
  package init(environment: [String: String], files: FileReading = .disk) {
    self.environment = environment
    self.files = files
  }

  /// Returns the existing folders of a cache, without duplicates.
  package func folders(of source: ModelSource) -> [String] {
    let home = set("HOME")
    var folders: [String] = []
    switch source {
    case .ollama:
      if let folder = set("OLLAMA_MODELS") {
        folders = [folder]
      } else {
        // The service that Ollama's installer sets up on Linux has a separate home folder.
        folders = [home.map { "\($0)/.ollama/models" }, "/usr/share/ollama/.ollama/models"]
          .compactMap(\.self)
      }
    case .lmStudio:
      folders = home.map { ["\($0)/.lmstudio/models", "\($0)/.cache/lm-studio/models"] } ?? []
    case .huggingFace:
      let cache = set("XDG_CACHE_HOME") ?? home.map { "\($0)/.cache" }
      folders =
        [
          set("HF_HUB_CACHE") ?? set("HUGGINGFACE_HUB_CACHE") ?? set("HF_HOME").map { "\($0)/hub" }
            ?? cache.map { "\($0)/huggingface/hub" }
        ].compactMap(\.self)
    }
    var seen: Set<String> = []
    return folders.filter { files.kind($0) == .folder && seen.insert(files.resolved($0)).inserted }
  }

  private func set(_ variable: String) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the models in the given caches, cache by cache; the models of each cache are sorted by
  /// name.
  package func models(of sources: [ModelSource] = ModelSource.allCases) -> [FoundModel] {
    sources.flatMap { source in
      folders(of: source).flatMap { folder in
        switch source {
        case .ollama: OllamaCache(folder: folder, files: files).models
        case .lmStudio: LMStudioCache(folder: folder, files: files).models
        case .huggingFace: HuggingFaceCache(folder: folder, files: files).models
        }
      }.sorted { $0.name < $1.name }
    }
  }

  /// Returns the path of a model's file.
  ///
  /// - Throws: `SessionFailure` if no model or more than one has this name, or if the model can't
  ///   be used.
  package func path(of name: CachedModelName) throws(SessionFailure) -> String {
    let title = "--model \(name.source.prefix):\(name.name)"
    let models = models(of: [name.source])
    let exact = models.filter { $0.name == name.name }
    let fitting = exact.isEmpty ? models.filter { $0.otherNames.contains(name.name) } : exact
    guard let model = fitting.first else {
      throw SessionFailure(.usage, "\(title): \(unknown(name, among: models))")
    }
    guard fitting.count == 1 else {
      let names = fitting.prefix(8).map { "`\($0.qualifiedName)`" }
      throw SessionFailure(
        .usage,
        "\(title): \(fitting.count) files have this name; use one of "
          + "\(names.joined(separator: ", "))\(fitting.count > 8 ? ", …" : "")")
    }
    do throws(FoundModel.Problem) {
      return try model.file.get()
    } catch {
      throw SessionFailure(.usage, "\(title): \(error)")
    }
  }

  private func unknown(_ name: CachedModelName, among models: [FoundModel]) -> String {
    let folders = folders(of: name.source)
    guard !folders.isEmpty else {
      return "there is no cache of \(name.source.title) on this machine; name a GGUF file"
    }
    let place = "\(name.source.title) has no such model in \(folders.joined(separator: " or "))"
    let known = Array(models.map(\.name).prefix(20))
    guard !known.isEmpty else { return "\(place); it has no models there" }
    // For a name without a tag, suggest one of the existing tags.
    let names = known + models.flatMap(\.otherNames).sorted()
    let nearest =
      known.first { $0.hasPrefix(name.name + ":") }
      ?? NearestName.nearest(to: name.name, among: names)
    return "\(place); " + (nearest.map { "did you mean `\(name.source.prefix):\($0)`? " } ?? "")
      + "it has " + known.map { "`\($0)`" }.joined(separator: ", ")
      + (models.count > known.count ? " and \(models.count - known.count) more" : "")
  }
}
