import Backends
import EvalRecords
import FoundationModels
import StructuredText
import Testing

@Generable
private struct Route: Equatable {
  @Guide(description: "A name for the sign")
  var title: String
  @Guide(description: "From start to end", .count(1...3))
  var stops: [String]
}

/// A view model for a screen that shows the parts of a route while the route is being generated.
@MainActor @Observable
private final class RouteModel {
  enum Phase: Equatable {
    case idle, writing, done(Route), failed
  }

  private(set) var draft: Route.PartiallyGenerated?
  private(set) var phase = Phase.idle
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private let session: LanguageModelSession

  init(session: LanguageModelSession) { self.session = session }

  var canWrite: Bool { !session.isResponding }

  func write(about place: String) {
    task = Task {
      phase = .writing
      do {
        let stream = session.streamResponse(generating: Route.self) {
          "A walk through"
          place
        }
        for try await snapshot in stream { draft = snapshot.content }
        phase = .done(try await stream.collect().content)
      } catch {
        phase = .failed
      }
    }
  }

  func stop() { task?.cancel() }
  func wait() async { await task?.value }
}

/// Reads a view model's draft again whenever the draft has changed, as a view does.
@MainActor
private final class Reader {
  private(set) var seen: Route.PartiallyGenerated?

  func read(_ model: RouteModel) {
    withObservationTracking {
      seen = model.draft
    } onChange: {
      Task { @MainActor in self.read(model) }
    }
  }
}

@MainActor @Suite("A view model that streams")
struct ViewModelTests {
  private func session(latency: Double = 0) -> LanguageModelSession {
    LanguageModelSession(
      model: BackendLanguageModel(
        StubBackend(),
        script: StubScript(
          choice: .sequence,
          entries: [.init(content: ["title": "Along the old wall", "stops": ["Gate", "Mill"]])],
          latency: latency)))
  }

  @Test("the view model's draft updates as the answer streams, and an observer sees the last draft")
  func follows() async {
    let model = RouteModel(session: session())
    let reader = Reader()
    reader.read(model)
    #expect(model.draft == nil && model.canWrite)
    model.write(about: "a harbour")
    await model.wait()
    let route = Route(title: "Along the old wall", stops: ["Gate", "Mill"])
    #expect(model.phase == .done(route))
    #expect(model.draft?.stops == route.stops)
    #expect(model.canWrite)
    while reader.seen?.stops != route.stops { await Task.yield() }
  }

  @Test("the view model can be stopped during an answer, and then its session is free again")
  func stops() async throws {
    let model = RouteModel(session: session(latency: 60_000))
    model.write(about: "a harbour")
    while model.phase != .writing { await Task.yield() }
    model.stop()
    await model.wait()
    #expect(model.phase == .failed)
    #expect(model.canWrite)
  }
}
