public import EvalRecords
import ModelServers
import Synchronization

extension ServedBackend {
  /// Tests the capabilities of the server with a few tiny requests.
  ///
  /// A separate backend sends the requests, so they don't count as requests of the run. The
  /// separate backend doesn't retry, and waits at most two minutes for an answer. If the server
  /// fails during the test, the capabilities stay unknown, and the run's own requests report the
  /// failure.
  ///
  /// - Returns: The capabilities, and the use of the server during the test.
  public func probe() async -> (ServerCapabilities, ServedUse) {
    let (capabilities, book) = await findings(.unlimited)
    return (capabilities, book.use(mostAtOnce: 1))
  }

  /// Tests the server before the run's first answer, if the options ask for it.
  ///
  /// All answers wait for the same test. The method stores no capabilities if the task of one of
  /// the answers is cancelled, or if the run replays a recording that lacks the test's requests.
  ///
  /// - Parameter admission: Admits the test's requests.
  func probeOnce(_ admission: RequestAdmission) async {
    guard options.probes else { return }
    let task = probing.withLock { known in
      if let known { return known }
      let task = Task { [self] in
        let (capabilities, book) = await findings(admission)
        if !Task.isCancelled, !book.lacksRecording {
          self.book.note(capabilities, connections: book.use(mostAtOnce: 1).connections)
        }
      }
      known = task
      return task
    }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Tests the server, and returns its capabilities and everything else that the test learned.
  private func findings(
    _ admission: RequestAdmission
  ) async -> (ServerCapabilities, ServedBook) {
    var options = options
    options.probes = false
    // Send no further requests for decisions, so that the test stays small.
    options.furtherRequests = 0
    options.retries.limit = 0
    options.timeLimit = min(options.timeLimit, .seconds(120))
    let sibling = ServedBackend(
      name, id: record.id, options: options, client: client, clock: clock, now: now)
    return (await ServedProbe(sibling, admission).capabilities(), sibling.book)
  }
}
