public import EvalRecords
import StructuredText
import Synchronization

/// Computes request fingerprints.
///
/// A request fingerprint is the SHA-256 digest of everything that determines an answer except the
/// seed and the repeat.
///
/// A fingerprint covers the measurement protocol; the backend's model, model file and engine; the
/// schema with its guides; the instructions; the conversation before the prompt; the prompt with
/// the values of its variables; and the settings. For the stub, it also covers the answers in
/// the suite, because the stub returns these answers. A fingerprint doesn't cover the names of the
/// suite and the test case, so renaming a test case doesn't change its fingerprints.
public final class RequestFingerprints: Sendable {
  /// The part of the fingerprints that all requests of a slice share.
  private let shared = Mutex<[SliceKey: String]>([:])

  /// Creates an instance for a single run.
  ///
  /// In another run, the same id may belong to a different suite, variant or backend.
  public init() {}

  /// Returns the fingerprint of a request in hexadecimal.
  public func fingerprint(of request: BackendRequest, _ backend: BackendRecord) -> String {
    let place = SliceKey(
      suite: request.suite, variant: request.variant, backend: backend.id)
    let common = shared.withLock { shared in
      if let known = shared[place] { return known }
      let digest = Self.common(request, backend)
      shared[place] = digest
      return digest
    }
    let history = request.history.map { "\($0.speaker): \($0.text)" }
    // A test case may have its own settings, so they don't belong to the common part.
    var parts = [common] + history + [request.prompt] + request.settings.digestLines()
    if let needs = request.needs { parts.append("decisions only: \(needs.words)") }
    if backend.isStub { parts.append(request.stubScript.map { "\($0)" } ?? "") }
    return Self.digest(parts)
  }

  private static func common(_ request: BackendRequest, _ backend: BackendRecord) -> String {
    digest([
      "protocol \(MeasurementProtocol.current)", backend.model, backend.modelDigest ?? "",
      backend.engine, request.schema,
      request.instructions.map { "i" + $0 } ?? "",
    ])
  }

  /// Returns the digest of a list of strings.
  ///
  /// Each string is preceded by its length, so two different lists never produce the same bytes.
  static func digest(_ parts: [String]) -> String {
    var digest = SHA256()
    for part in parts {
      let bytes = Array(part.utf8)
      Array("\(bytes.count):".utf8).withUnsafeBytes { digest.update($0) }
      bytes.withUnsafeBytes { digest.update($0) }
    }
    return digest.hexDigest()
  }
}
