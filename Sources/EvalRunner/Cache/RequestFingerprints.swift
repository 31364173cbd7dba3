public import EvalRecords
import StructuredText
import Synchronization

/// Makes the fingerprints of requests: the SHA-256 of everything that determines an answer beside its
/// seed and repeat.
///
/// That is the measurement protocol, the backend's model, file and engine, the schema with its guides, the instructions, the
/// prompt as it is asked, and the settings; for the stub, whose answers are the suite's, the script
/// too. The suite's and the case's names are not among it: a renamed case asks the same.
public final class RequestFingerprints: Sendable {
  /// What the requests of one suite, variant and backend have in common.
  private struct Shared: Hashable {
    var backend: String
    var suite: String
    var variant: String
  }

  private let shared = Mutex<[Shared: String]>([:])

  /// Makes a maker, for one run: within it, a suite, a variant and a backend are told apart by their
  /// ids.
  public init() {}

  /// The fingerprint of a request, in hexadecimal.
  public func fingerprint(of request: BackendRequest, _ backend: BackendRecord) -> String {
    let place = Shared(backend: backend.id, suite: request.suite, variant: request.variant)
    let common = shared.withLock { shared in
      if let known = shared[place] { return known }
      let digest = Self.common(request, backend)
      shared[place] = digest
      return digest
    }
    let history = request.history.map { "\($0.speaker): \($0.text)" }
    var parts = [common] + history + [request.prompt] + Self.words(request.settings)
    if backend.model == "stub" { parts.append(request.stubScript.map { "\($0)" } ?? "") }
    return Self.digest(parts)
  }

  private static func common(_ request: BackendRequest, _ backend: BackendRecord) -> String {
    digest([
      "protocol \(MeasurementProtocol.current)", backend.model, backend.modelDigest ?? "",
      backend.engine, request.schema,
      request.instructions.map { "i" + $0 } ?? "",
    ])
  }

  /// The settings, which a case may have of its own.
  private static func words(_ settings: GenerationSettings) -> [String] {
    [
      "\(settings.isGreedy)", "\(settings.temperature)", "\(settings.topK)", "\(settings.topP)",
      "\(settings.minP)", "\(settings.maximumTokens)", settings.whitespace.rawValue,
      settings.tokenization.rawValue, settings.outline.rawValue, settings.mask.rawValue,
    ]
  }

  /// The digest of texts, each with its length before it, so that no two lists give the same bytes.
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
