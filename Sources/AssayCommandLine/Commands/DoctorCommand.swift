import EvalReports
import Foundation
import LocalModels

/// `assay doctor`: what this installation has, and whether a model file can be used.
struct DoctorCommand: Command {
  let specification = CommandSpecification(
    name: "doctor", summary: "Checks a model file and says what it is.", positionals: "",
    positionalCount: 0...0,
    options: [.option("model", letter: "m", "FILE", "a GGUF file (default: the bundled toy)")])

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let path = try BackendFactory.modelPath(arguments.value("model"), in: context)
    let model: LocalModel
    do {
      model = try LocalModel(path: path)
    } catch {
      throw CommandFailure(.cannotRun, String(describing: error))
    }
    let info = model.info
    let rows: [(String, String)] = [
      ("assay", AssayProgram.version),
      ("file", path),
      ("SHA-256", try BackendFactory.digest(of: path)),
      ("name", info.name),
      ("architecture", "\(info.architecture), \(info.layerCount) layers"),
      ("parameters", "\(info.parameterCount)"),
      ("weights", info.quantization),
      ("vocabulary", "\(info.vocabularySize) tokens"),
      ("context", "\(info.contextLength) tokens"),
      ("chat format", info.chatFormat?.rawValue ?? "none recognised; use --chat-format"),
      (
        "memory",
        "\(info.byteCount >> 20) MiB mapped, and \(info.bytesPerToken >> 10) KiB for each token in work"
      ),
      ("instructions", InstructionSet.best.rawValue),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    for (name, value) in rows {
      context.console.output("\(name.padded(to: width))  \(VisibleText.line(value))\n")
    }
    return .passed
  }
}
