import Backends
import EvalRecords
import Foundation
import LocalModels
import StructuredText

/// Makes the backends that a command names.
package enum BackendFactory {
  /// The names of the conversation formats.
  package static let chatFormats = ChatFormat.allCases.map(\.rawValue)

  /// The name that the bundled model's file gives itself.
  private static let toyName = "Assay Toy"

  /// Makes backends.
  ///
  /// - Parameters:
  ///   - choice: Which backends, and on which models.
  ///   - context: The surroundings.
  /// - Throws: `SessionFailure` where a model can't be used.
  package static func backends(
    _ choice: BackendChoice, in context: EvaluationContext
  ) throws(SessionFailure) -> [any EvalBackend] {
    var backends: [any EvalBackend] = []
    for id in choice.ids {
      switch id {
      case "stub": backends.append(StubBackend(id: id))
      default: backends.append(try local(id, choice, in: context))
      }
    }
    return backends
  }

  private static func local(
    _ id: String, _ choice: BackendChoice, in context: EvaluationContext
  ) throws(SessionFailure) -> LocalBackend {
    let path = try modelPath(choice.models[id], in: context)
    do {
      let model = try LocalModel(path: path)
      return LocalBackend(
        model: model, id: id, digest: try digest(of: path),
        chatFormat: choice.chatFormat.flatMap { ChatFormat(rawValue: $0) },
        toolVersion: ToolVersion.current, isToy: model.info.name == toyName)
    } catch {
      throw SessionFailure(.cannotRun, String(describing: error))
    }
  }

  /// The model file to use: the named one, or the bundled one.
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

  /// The SHA-256 of a file, read through a window.
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
