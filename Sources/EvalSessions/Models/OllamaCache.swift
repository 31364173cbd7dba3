import EvalFindings
import EvalSuites
import StructuredText

/// The models of Ollama; each name has a manifest that lists layers, and each layer's file is named
/// after the layer's digest.
///
/// ```
/// manifests/registry.ollama.ai/library/llama3.2/1b   → JSON, layers with media types and digests
/// blobs/sha256-74701a8c35f6…                         → the GGUF file
/// ```
struct OllamaCache {
  /// The folder with `manifests` and `blobs`.
  let folder: String
  /// The access to files.
  let files: FileReading

  private static let modelLayer = "application/vnd.ollama.image.model"
  private static let maximumManifest = 1 << 20

  /// The models in the cache.
  var models: [FoundModel] {
    CacheFolder(path: "\(folder)/manifests", files: files).relativePaths.compactMap { path in
      let parts = path.split(separator: "/").map(String.init)
      // Host, namespace, model and tag.
      guard parts.count >= 3, let tag = parts.last else { return nil }
      let spellings = Self.names(parts.dropLast(), tag: tag)
      return FoundModel(
        source: .ollama, name: spellings[0], otherNames: Set(spellings.dropFirst()),
        file: file(of: "\(folder)/manifests/\(path)"))
    }
  }

  /// Returns the spellings of a name.
  ///
  /// The first spelling is the usual one, which leaves out the default host, namespace and tag.
  static func names(_ parts: some Collection<String>, tag: String) -> [String] {
    var short = Array(parts)
    var stems = [short]
    if short.first == "registry.ollama.ai" {
      short.removeFirst()
      stems.insert(short, at: 0)
      if short.first == "library", short.count > 1 { stems.insert(Array(short.dropFirst()), at: 0) }
    }
    let names = stems.map { $0.joined(separator: "/") }
    return (tag == "latest" ? names : []) + names.map { "\($0):\(tag)" }
  }

  /// Returns the path of the GGUF file that a manifest names, or the problem with the manifest or
  /// the file.
  private func file(of manifest: String) -> Result<String, FoundModel.Problem> {
    func problem(_ reason: String) -> Result<String, FoundModel.Problem> {
      .failure(FoundModel.Problem(path: manifest, reason: reason))
    }
    let bytes: [UInt8]
    do throws(FileReading.Failure) {
      bytes = try files.bytes(manifest)
    } catch {
      return problem("the manifest can't be read: \(error.reason)")
    }
    guard bytes.count <= Self.maximumManifest else {
      return problem("the manifest has \(bytes.count) bytes; the maximum is 1 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      let value = try? JSONValue(parsing: text), let layers = value["layers"]?.array
    else { return problem("the manifest is not a JSON object with `layers`") }
    let digests = layers.filter { $0["mediaType"]?.string == Self.modelLayer }
      .map { $0["digest"]?.string ?? "" }
    guard let digest = digests.first, digests.count == 1 else {
      return problem("the manifest names \(digests.count) GGUF files; one is expected")
    }
    let hex = digest.dropFirst("sha256:".count)
    guard digest.hasPrefix("sha256:"), hex.utf8.count == 64, hex.allSatisfy(\.isHexDigit) else {
      return problem(
        "the manifest names the file `\(VisibleText.line(String(digest.prefix(80))))`; "
          + "`sha256:` and 64 hexadecimal digits are expected")
    }
    return CacheFolder(path: "\(folder)/blobs", files: files)
      .file("sha256-\(hex)", what: "the file of the model")
  }
}
