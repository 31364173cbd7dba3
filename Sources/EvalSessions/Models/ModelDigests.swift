import LocalModels
import StructuredText
import SystemBasics

/// The SHA-256 of model files, remembered from run to run.
///
/// Computing the digest of a file of 8 GB takes several seconds. So Assay keeps the digest in the
/// user's cache folder, together with the identity of the file, and computes it again if the
/// identity has changed:
///
/// ```
/// ~/.cache/assay/models/3f0a….json   {"file":"2049:1311:98013696:…","sha256":"b179…"}
/// ```
///
/// If the folder can't be read or written, Assay computes the digest in every run.
package struct ModelDigests {
  private let folder: String?
  private let now: @Sendable () -> Double

  /// Creates an instance that remembers digests in the user's cache folder.
  ///
  /// - Parameters:
  ///   - environment: The environment variables, which name the cache folder: `XDG_CACHE_HOME`, or
  ///     else `.cache` in `HOME`. If neither variable has an absolute path, nothing is remembered.
  ///   - now: The wall clock, in seconds since 1970.
  package init(environment: [String: String], now: @escaping @Sendable () -> Double) {
    func named(_ key: String) -> String? {
      environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let caches = named("XDG_CACHE_HOME") ?? named("HOME").map { $0 + "/.cache" }
    folder = caches.map { $0 + "/assay/models" }
    self.now = now
  }

  /// Returns the SHA-256 of a model's file.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - path: The path of its file.
  package func digest(of model: LocalModel, at path: String) -> String {
    if let known = known(of: model, at: path) { return known }
    let digest = Self.digest(of: model)
    let identity = model.fileIdentity
    // A file that changes twice within a tick of the clock keeps its identity. So Assay remembers
    // the digest only if the file last changed at least a few seconds ago, and if its identity is
    // still the same.
    if let place = place(of: path), now() - identity.changed > 5,
      FileIdentity(path: path) == identity
    {
      remember(digest, of: identity, at: place)
    }
    return digest
  }

  /// Returns the remembered SHA-256 of a model's file, or `nil` if it must be computed.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - path: The path of its file.
  package func known(of model: LocalModel, at path: String) -> String? {
    place(of: path).flatMap { Self.known(at: $0, model.fileIdentity) }
  }

  /// Computes the SHA-256 of a model's file.
  package static func digest(of model: LocalModel) -> String {
    model.withFile { bytes in
      var digest = SHA256()
      digest.update(bytes)
      return digest.hexDigest()
    }
  }

  private func place(of path: String) -> String? {
    let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
    return folder.map { "\($0)/\(SHA256.hexDigest(of: absolute).prefix(16)).json" }
  }

  private static func known(at place: String, _ identity: FileIdentity) -> String? {
    guard let data = FileManager.default.contents(atPath: place), data.count < 4096,
      let value = try? JSONValue(parsing: String(decoding: data, as: UTF8.self)),
      case .object(let members) = value, members["file"] == .string(identity.text),
      case .string(let digest)? = members["sha256"], digest.utf8.count == 64,
      digest.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return nil }
    return digest
  }

  private func remember(_ digest: String, of identity: FileIdentity, at place: String) {
    guard let folder else { return }
    let entry = JSONValue.object(["file": .string(identity.text), "sha256": .string(digest)])
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try? Data(entry.compactText.utf8).write(to: URL(fileURLWithPath: place), options: .atomic)
  }
}
