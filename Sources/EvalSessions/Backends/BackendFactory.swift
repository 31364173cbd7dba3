import Backends
import Dispatch
import EvalRecords
import EvalSuites
import HTTPTransport
import LocalModels
import StructuredText
import Synchronization
import SystemBasics

/// Creates the backends that a command names.
package enum BackendFactory {
  /// The names of the chat formats.
  package static let chatFormats = ChatFormat.allCases.map(\.rawValue)

  /// The name of the bundled model, as its file states it.
  private static let toyName = "Assay Toy"

  /// Returns a backend for each id in a choice.
  ///
  /// - Parameters:
  ///   - choice: The selected backends and their models.
  ///   - context: The context of the evaluation.
  ///   - drafts: Earlier answers, which local models may use as drafts.
  ///   - isProfiled: Whether to measure the processor time of each phase of local models.
  /// - Throws: `SessionFailure` if a model can't be used.
  package static func backends(
    _ choice: BackendChoice, in context: EvaluationContext, drafts: AnswerDrafts = AnswerDrafts(),
    isProfiled: Bool = false
  ) throws(SessionFailure) -> [any EvalBackend] {
    var backends: [any EvalBackend] = []
    // All served models share one client, with its connections, its programs and its threads.
    var client: (any HTTPClient)?
    for id in choice.ids {
      switch id {
      case let id where choice.served[id] != nil:
        guard let served = choice.served[id] else { continue }
        let options = try served.options(
          in: context, isReplay: choice.replay != nil, workers: choice.workers)
        let shared: any HTTPClient
        if let client { shared = client } else { shared = try self.client(choice, in: context) }
        client = shared
        backends.append(
          ServedBackend(
            served.name, id: id, options: options, client: shared,
            clock: choice.replay == nil ? context.clock : SkippingClock(), now: context.now))
      case "stub": backends.append(StubBackend(id: id))
      case let id where context.registered.backend(id) != nil:
        if let backend = context.registered.backend(id) { backends.append(backend) }
      default: backends.append(try local(id, choice, in: context, drafts, isProfiled))
      }
    }
    return backends
  }

  private static func client(
    _ choice: BackendChoice, in context: EvaluationContext
  ) throws(SessionFailure) -> any HTTPClient {
    if let replay = choice.replay { return try RecordingFile.replay(of: replay) }
    let programs = ProgramClient(
      environment: context.environment, elapsed: context.clock.stopwatch())
    let client: any HTTPClient
    if choice.served.values.allSatisfy(\.isProgram) {
      client = programs
    } else {
      do throws(CurlMissing) {
        client = RoutingClient(network: KeyHidingClient(try CurlClient()), programs: programs)
      } catch {
        throw SessionFailure(.cannotRun, "\(error)")
      }
    }
    guard let record = choice.record else { return client }
    return try RecordingFile.recording(to: record, client)
  }

  private static func local(
    _ id: String, _ choice: BackendChoice, in context: EvaluationContext, _ drafts: AnswerDrafts,
    _ isProfiled: Bool
  ) throws(SessionFailure) -> LocalBackend {
    let named = choice.models[id]
    let known = named.flatMap { choice.known[$0] }
    let path = try modelPath(named, known: known, in: context)
    let chatFormat = choice.chatFormat ?? known?.chatFormat
    do {
      let model = try LocalModel(path: path)
      let (digest, tables) = digestAndTables(of: model, at: path, in: context)
      if let problem = known.flatMap({ problem(of: $0, model: model, digest: digest, path: path) })
      {
        throw SessionFailure(.usage, problem.description)
      }
      let memory = choice.memory(forModelWith: known?.memory)
      return try LocalBackend(
        model: model, tables: tables, id: id, digest: digest,
        chatFormat: chatFormat.flatMap { ChatFormat(rawValue: $0) },
        toolVersion: ToolVersion.current, build: context.build(), isToy: model.info.name == toyName,
        workers: choice.workers,
        cacheLimit: memory.map { $0 << 20 } ?? LocalBackend.cacheLimit,
        contextLength: known?.contextLength, cue: known?.cue,
        drafts: choice.usesDrafts ? drafts : nil,
        clock: context.clock, processorTime: isProfiled ? context.processorTime : nil)
    } catch let failure as SessionFailure {
      throw failure
    } catch let missing as MissingControlTokens {
      throw failure(of: missing, chosenBy: choice.chatFormat == nil ? known : nil)
    } catch {
      throw SessionFailure(.cannotRun, String(describing: error))
    }
  }

  /// Returns the failure of a model whose vocabulary lacks control tokens of its chat format.
  ///
  /// - Parameters:
  ///   - missing: The control tokens.
  ///   - known: The project file's entry for the model, or `nil` if it doesn't matter.
  package static func failure(
    of missing: MissingControlTokens, chosenBy known: ProjectFile.Model?
  ) -> SessionFailure {
    if missing.isOfFile { return SessionFailure(.cannotRun, missing.description) }
    guard let known, known.chatFormat != nil else {
      return SessionFailure(.usage, "--chat-format: \(missing)")
    }
    return SessionFailure(
      .usage,
      known.problem(with: "chatFormat", missing.problem, allowed: missing.allowed).description)
  }

  private static func digestAndTables(
    of model: LocalModel, at path: String, in context: EvaluationContext
  ) -> (String, VocabularyTables) {
    let digests = ModelDigests(environment: context.environment, now: context.now)
    // The tables use all cores, but only if no other work is done at the same time: libdispatch
    // carries out nested `concurrentPerform` calls on fewer threads.
    if let digest = digests.known(of: model, at: path) {
      return (digest, VocabularyTables(of: model))
    }
    return both {
      digests.digest(of: model, at: path)
    } and: {
      VocabularyTables(of: model)
    }
  }

  /// Computes two values at the same time if a second core is free.
  private static func both<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First, and second: @Sendable () -> Second
  ) -> (First, Second) {
    let values = Mutex<(First?, Second?)>((nil, nil))
    // The calling thread takes part in the work, so this function can't deadlock if no other thread
    // is available.
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      if number == 0 {
        let value = first()
        values.withLock { $0.0 = value }
      } else {
        let value = second()
        values.withLock { $0.1 = value }
      }
    }
    guard case (let one?, let other?) = values.withLock({ $0 }) else {
      preconditionFailure("concurrentPerform didn't compute both values")
    }
    return (one, other)
  }

  /// Returns a description of the conflict between a model's file and its entry in the project
  /// file, or `nil` if they agree.
  package static func problem(
    of known: ProjectFile.Model, model: LocalModel, digest: String, path: String
  ) -> SuiteProblem? {
    if let wanted = known.digest, wanted != digest {
      return known.problem(
        with: "sha256",
        "the file of the model `\(known.name)` has changed: the SHA-256 of \(path) is \(digest)",
        allowed: "the project file expects \(wanted)")
    }
    if let context = known.contextLength, context > model.info.contextLength {
      return known.problem(
        with: "context", "`context` is \(context)",
        allowed: "the maximum is \(model.info.contextLength), the context of \(path)")
    }
    return nil
  }

  /// Returns the path of the named model file, or of the bundled model if no name is given.
  ///
  /// The named file may be in another program's cache.
  ///
  /// - Parameters:
  ///   - named: The path of a file, or a name in a cache.
  ///   - known: The project file's entry for the model with this path, or `nil` if there is none.
  ///   - context: The context of the evaluation.
  package static func modelPath(
    _ named: String?, known: ProjectFile.Model? = nil, in context: EvaluationContext
  ) throws(SessionFailure) -> String {
    if let named {
      switch FileReading.disk.kind(named) {
      case .file: return named
      case .folder: throw folder(named)
      case nil: break
      }
      if let name = CachedModelName(named) {
        return try ModelCaches(environment: context.environment).path(of: name)
      }
      guard let known else {
        let near = FileReading.disk.path(meantBy: named).map { "; did you mean \($0)?" } ?? ""
        throw SessionFailure(.cannotRun, "\(named): there is no such file" + near)
      }
      throw SessionFailure(
        .cannotRun,
        known.problem(
          with: "file", "there is no file \(named) for the model `\(known.name)`",
          allowed: "give the path of a GGUF file, relative to the project file"
        ).description)
    }
    let bundled = ModelLocation.find(
      executable: context.executable, workingDirectory: context.workingDirectory)
    guard let bundled else {
      let places = ModelLocation.candidates(
        executable: context.executable, workingDirectory: context.workingDirectory)
      throw SessionFailure(
        .cannotRun,
        "the bundled model \(ModelLocation.fileName) is not at "
          + places.prefix(2).joined(separator: " or ") + "; name a model with --model FILE")
    }
    return bundled
  }

  /// Returns the error for a path that is a folder.
  ///
  /// The error names some models in the folder.
  private static func folder(_ path: String) -> SessionFailure {
    let names = ((try? FileReading.disk.names(path)) ?? []).filter(ModelFileName.isModel).sorted()
    let inside = names.prefix(5).map { "\(path)/\($0)" }.joined(separator: ", ")
    return SessionFailure(
      .cannotRun,
      "\(path): it is a folder; name a GGUF file"
        + (names.isEmpty ? " (the folder has none)" : ", for example \(inside)"))
  }
}
