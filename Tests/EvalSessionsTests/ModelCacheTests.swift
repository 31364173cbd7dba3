import EvalSuites
import Foundation
import TestSupport
import Testing

@testable import EvalSessions

@Suite("Models in the caches of other programs")
struct ModelCacheTests {
  private static let environment = ["HOME": "/home/ann"]
  private static let digest = String(repeating: "7a", count: 32)
  private static let ollama = "/home/ann/.ollama/models"
  private static let manifests = "\(ollama)/manifests/registry.ollama.ai"
  private static let studio = "/home/ann/.lmstudio/models"
  private static let hub = "/home/ann/.cache/huggingface/hub"
  private static let revision = "0123456789abcdef0123456789abcdef01234567"

  private static func manifest(_ digest: String = "sha256:\(digest)") -> String {
    """
    {"schemaVersion": 2, "layers": [
      {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:00"},
      {"mediaType": "application/vnd.ollama.image.model", "digest": "\(digest)", "size": 4}]}
    """
  }

  private static let files = [
    "\(manifests)/library/llama3.2/1b": manifest(),
    "\(manifests)/library/tiny/latest": manifest(),
    "\(manifests)/ann/own/v2": manifest(),
    "\(ollama)/manifests/hf.co/unsloth/Qwen3-GGUF/Q8_0": manifest(),
    "\(ollama)/blobs/sha256-\(digest)": "GGUF",
    "\(studio)/bartowski/Llama-GGUF/Llama-Q4_K_M.gguf": "GGUF",
    "\(studio)/bartowski/Llama-GGUF/mmproj-Llama-f16.gguf": "GGUF",
    "\(studio)/unsloth/Qwen-GGUF/Qwen-Q4_0.gguf": "GGUF",
    "\(studio)/unsloth/Qwen-GGUF/Qwen-Q8_0.gguf": "GGUF",
    "\(studio)/other/Llama-GGUF/Llama-Q8_0.gguf": "GGUF",
    "\(studio)/unsloth/Qwen-GGUF/README.md": "text",
    "\(hub)/models--ggml-org--tiny--stories/refs/main": "\(revision)\n",
    "\(hub)/models--ggml-org--tiny--stories/snapshots/\(revision)/tiny.Q4_1.gguf": "GGUF",
    "\(hub)/models--ggml-org--tiny--stories/snapshots/\(revision)/sub/tiny-F16.gguf": "GGUF",
    "\(hub)/models--ggml-org--tiny--stories/snapshots/ffff/old.gguf": "GGUF",
    "\(hub)/models--solo--one/snapshots/abcd/one.gguf": "GGUF",
    "\(hub)/models--torch--two/snapshots/abcd/weights.safetensors": "no",
  ]

  private let caches = ModelCaches(environment: environment, files: .memory(files))

  @Test("cached models are listed cache by cache, as the program of each cache names them")
  func list() {
    #expect(
      caches.models().map(\.qualifiedName) == [
        "ollama:ann/own:v2", "ollama:hf.co/unsloth/Qwen3-GGUF:Q8_0", "ollama:llama3.2:1b",
        "ollama:tiny", "lmstudio:bartowski/Llama-GGUF", "lmstudio:other/Llama-GGUF",
        "lmstudio:unsloth/Qwen-GGUF/Qwen-Q4_0.gguf", "lmstudio:unsloth/Qwen-GGUF/Qwen-Q8_0.gguf",
        "hf:ggml-org/tiny--stories:sub/tiny-F16.gguf", "hf:ggml-org/tiny--stories:tiny.Q4_1.gguf",
        "hf:solo/one",
      ])
  }

  @Test(
    "a cached model is found by every spelling of its name",
    arguments: [
      ("ollama:llama3.2:1b", "\(ollama)/blobs/sha256-\(digest)"),
      ("ollama:library/llama3.2:1b", "\(ollama)/blobs/sha256-\(digest)"),
      ("ollama:registry.ollama.ai/library/llama3.2:1b", "\(ollama)/blobs/sha256-\(digest)"),
      ("ollama:tiny", "\(ollama)/blobs/sha256-\(digest)"),
      ("ollama:tiny:latest", "\(ollama)/blobs/sha256-\(digest)"),
      ("lmstudio:bartowski/Llama-GGUF", "\(studio)/bartowski/Llama-GGUF/Llama-Q4_K_M.gguf"),
      ("lmstudio:Llama-Q4_K_M", "\(studio)/bartowski/Llama-GGUF/Llama-Q4_K_M.gguf"),
      ("lmstudio:Qwen-GGUF/Qwen-Q8_0.gguf", "\(studio)/unsloth/Qwen-GGUF/Qwen-Q8_0.gguf"),
      ("hf:solo/one", "\(hub)/models--solo--one/snapshots/abcd/one.gguf"),
      ("hf:solo/one:one.gguf", "\(hub)/models--solo--one/snapshots/abcd/one.gguf"),
      (
        "hf:ggml-org/tiny--stories:q4_1",
        "\(hub)/models--ggml-org--tiny--stories/snapshots/\(revision)/tiny.Q4_1.gguf"
      ),
      (
        "hf:ggml-org/tiny--stories:sub/tiny-F16",
        "\(hub)/models--ggml-org--tiny--stories/snapshots/\(revision)/sub/tiny-F16.gguf"
      ),
    ])
  func checkFound(name: String, path: String) throws {
    #expect(try caches.path(of: #require(CachedModelName(name))) == path)
  }

  @Test(
    "a name that matches no model or several is rejected, and the error suggests names",
    arguments: [
      ("ollama:llama3.2:2b", "did you mean `ollama:llama3.2:1b`?"),
      ("ollama:llama3.2", "did you mean `ollama:llama3.2:1b`?"),
      ("ollama:gpt", "no such model in \(ollama); it has"),
      (
        "lmstudio:Llama-GGUF",
        "2 files have this name; use one of `lmstudio:bartowski/Llama-GGUF`, "
      ),
      ("lmstudio:unsloth/Qwen-GGUF", "2 files have this name"),
      ("hf:ggml-org/tiny--stories", "`hf:ggml-org/tiny--stories:sub/tiny-F16.gguf`, "),
      ("hf:torch/two", "Hugging Face has no such model in \(hub)"),
      ("hf:", "Hugging Face has no such model"),
    ])
  func checkRefused(name: String, message: String) throws {
    let name = try #require(CachedModelName(name))
    let failure = #expect(throws: SessionFailure.self) { try caches.path(of: name) }
    #expect(failure?.kind == .usage)
    #expect(failure?.messages.count == 1)
    #expect(failure?.messages.first?.contains(message) == true, "\(failure?.messages ?? [])")
  }

  @Test(
    "a model with a damaged manifest is rejected, and the error names a path in the cache",
    arguments: [
      ("{", "the manifest is not a JSON object with `layers`"),
      (#"{"layers": 3}"#, "the manifest is not a JSON object with `layers`"),
      (#"{"layers": []}"#, "the manifest names 0 GGUF files; one is expected"),
      (manifest("sha256:../../../etc/passwd"), "`sha256:` and 64 hexadecimal digits are expected"),
      (manifest("md5:12"), "`sha256:` and 64 hexadecimal digits are expected"),
      (manifest("sha256:" + String(repeating: "0", count: 64)), "the file of the model is missing"),
      (String(repeating: " ", count: 2 << 20), "the maximum is 1 MiB"),
      (String(repeating: "[", count: 100_000), "the manifest is not a JSON object with `layers`"),
    ])
  func checkManifest(text: String, message: String) throws {
    var files = Self.files
    files["\(Self.manifests)/library/bad/latest"] = text
    let caches = ModelCaches(environment: Self.environment, files: .memory(files))
    let failure = #expect(throws: SessionFailure.self) {
      try caches.path(of: #require(CachedModelName("ollama:bad")))
    }
    #expect(failure?.messages.count == 1)
    #expect(failure?.messages.first?.contains(message) == true, "\(failure?.messages ?? [])")
    #expect(failure?.messages.first?.contains(Self.ollama) == true)
    #expect(caches.models(of: [.ollama]).count == 5, "the other models are still listed")
  }

  @Test(
    "models are looked up in the folders that the environment names",
    arguments: [
      ("OLLAMA_MODELS", "/data/o", ModelSource.ollama, "/data/o"),
      ("HF_HOME", "/data/hf", .huggingFace, "/data/hf/hub"),
      ("HF_HUB_CACHE", "/data/cache", .huggingFace, "/data/cache"),
      ("XDG_CACHE_HOME", "/data/xdg", .huggingFace, "/data/xdg/huggingface/hub"),
    ])
  func checkFolder(variable: String, value: String, source: ModelSource, folder: String) {
    let caches = ModelCaches(
      environment: ["HOME": "/home/ann", variable: value],
      files: .memory(["\(folder)/a/b": "x"]))
    #expect(caches.folders(of: source) == [folder])
  }

  @Test(
    "links to models are followed unless they break or lead out of an Ollama or Hugging Face cache")
  func links() throws {
    let manager = FileManager.default
    let root = try TemporaryFolder()
    func write(_ text: String, _ path: String) throws { try root.write(text, to: path) }
    func link(_ path: String, to target: String) throws {
      let url = root.url.appendingPathComponent(path)
      try manager.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }
    try write("GGUF", "outside.gguf")
    let manifests = ".ollama/models/manifests/registry.ollama.ai/library"
    try write(Self.manifest(), "\(manifests)/leak/latest")
    try link(".ollama/models/blobs/sha256-\(Self.digest)", to: "../../../outside.gguf")
    try link("\(manifests)/loop", to: "..")
    try link("\(manifests)/self/latest", to: "latest")
    let repository = "models--o--r"
    try write("GGUF", ".cache/huggingface/hub/\(repository)/blobs/b1")
    let snapshot = ".cache/huggingface/hub/\(repository)/snapshots/abc"
    try link("\(snapshot)/good.gguf", to: "../../blobs/b1")
    try link("\(snapshot)/gone.gguf", to: "../../blobs/b2")
    try link("\(snapshot)/leak.gguf", to: root.path + "/outside.gguf")
    try link("\(snapshot)/turn.gguf", to: "turn.gguf")
    try link(".lmstudio/models/me/mine/linked.gguf", to: root.path + "/outside.gguf")
    try link(".lmstudio/models/me/again", to: "..")

    let caches = ModelCaches(environment: ["HOME": root.path])
    func path(_ name: String) -> Result<String, SessionFailure> {
      Result { () throws(SessionFailure) in
        try caches.path(of: CachedModelName(name) ?? CachedModelName("hf:?")!)
      }
    }
    func reason(_ name: String) -> String {
      if case .failure(let failure) = path(name) { failure.messages.joined() } else { "" }
    }
    #expect(
      try path("hf:o/r:good.gguf").get().hasSuffix("/\(repository)/blobs/b1"))
    #expect(try path("lmstudio:me/mine").get() == root.path + "/outside.gguf")
    #expect(reason("hf:o/r:leak.gguf").contains("outside of"))
    #expect(reason("hf:o/r:gone.gguf").contains("links are broken"))
    #expect(reason("hf:o/r:turn.gguf").contains("links are broken"))
    #expect(reason("ollama:leak").contains("outside of"))
    #expect(reason("ollama:self").contains("the manifest can't be read"))
    #expect(caches.models(of: [.lmStudio]).count == 1)
  }
}
