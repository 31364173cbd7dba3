import Backends
import EvalRecords
import EvalSuites
import Foundation
import HTTPTransport
import LocalModels
import StructuredText

/// Creates the backends that a command names.
package enum BackendFactory {
  /// The names of the conversation formats.
  package static let chatFormats = ChatFormat.allCases.map(\.rawValue)

  /// The name in the bundled model's file.
  private static let toyName = "Assay Toy"

  /// Creates backends.
  ///
  /// - Parameters:
  ///   - choice: The selected backends and their models.
  ///   - context: The surroundings.
  /// - Throws: `SessionFailure` if a model can't be used.
  package static func backends(
    _ choice: BackendChoice, in context: EvaluationContext
  ) throws(SessionFailure) -> [any EvalBackend] {
    var backends: [any EvalBackend] = []
    var client: (any HTTPClient)?
    for id in choice.ids {
      switch id {
      case let id where choice.served[id] != nil:
        guard let served = choice.served[id] else { continue }
        let options = try served.options(in: context, isReplay: choice.replay != nil)
        // All served models share their connections and one thread for them.
        let shared: any HTTPClient
        if let client { shared = client } else { shared = try self.client(choice) }
        client = shared
        backends.append(
          ServedBackend(
            served.name, id: id, options: options, client: shared,
            clock: choice.replay == nil ? context.clock : SkippingClock(), now: context.now))
      case "stub": backends.append(StubBackend(id: id))
      case let id where context.registered.backend(id) != nil:
        if let backend = context.registered.backend(id) { backends.append(backend) }
      default: backends.append(try local(id, choice, in: context))
      }
    }
    return backends
  }

  private static func client(
    _ choice: BackendChoice
  ) throws(SessionFailure) -> any HTTPClient {
    if let replay = choice.replay { return try RecordingFile.replay(of: replay) }
    let client: CurlClient
    do throws(CurlMissing) {
      client = try CurlClient()
    } catch {
      throw SessionFailure(.cannotRun, "\(error)")
    }
    guard let record = choice.record else { return client }
    return try RecordingFile.recording(to: record, client)
  }

  private static func local(
    _ id: String, _ choice: BackendChoice, in context: EvaluationContext
  ) throws(SessionFailure) -> LocalBackend {
    let path = try modelPath(choice.models[id], in: context)
    let known = choice.known[path]
    let chatFormat = choice.chatFormat ?? known?.chatFormat
    if let chatFormat, ChatFormat(rawValue: chatFormat) == nil {
      throw SessionFailure(
        .usage,
        "the chat format `\(chatFormat)` of the model `\(known?.name ?? id)` is unknown; one of "
          + "\(chatFormats.joined(separator: ", ")) is allowed")
    }
    do {
      let model = try LocalModel(path: path)
      let digest = try digest(of: path)
      if let known, let wanted = known.digest, wanted != digest {
        throw SessionFailure(
          .usage,
          "\(path): the file of the model `\(known.name)` has changed: its SHA-256 is \(digest), "
            + "and the project file says \(wanted)")
      }
      return LocalBackend(
        model: model, id: id, digest: digest,
        chatFormat: chatFormat.flatMap { ChatFormat(rawValue: $0) },
        toolVersion: ToolVersion.current, isToy: model.info.name == toyName,
        workers: choice.workers,
        cacheLimit: choice.memory.map { $0 << 20 } ?? LocalBackend.cacheLimit,
        clock: context.clock)
    } catch let failure as SessionFailure {
      throw failure
    } catch {
      throw SessionFailure(.cannotRun, String(describing: error))
    }
  }

  /// Returns the path of the model file: the named one, or the bundled one.
  package static func modelPath(
    _ named: String?, in context: EvaluationContext
  ) throws(SessionFailure) -> String {
    if let named { return named }
    let bundled = ModelLocation.find(
      executable: context.executable, workingDirectory: context.workingDirectory)
    guard let bundled else {
      let places = ModelLocation.candidates(
        executable: context.executable, workingDirectory: context.workingDirectory)
      throw SessionFailure(
        .cannotRun,
        "the bundled model \(ModelLocation.fileName) is not at \(places.prefix(2).joined(separator: " or "))"
          + "; name a model with --model FILE")
    }
    return bundled
  }

  /// Returns the SHA-256 of a file, which is read in parts.
  package static func digest(of path: String) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var digest = SHA256()
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
      bytes.withUnsafeBytes { digest.update($0) }
    }
    return digest.hexDigest()
  }
}
