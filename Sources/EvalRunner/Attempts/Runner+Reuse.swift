import EvalRecords

/// A stored attempt whose answer a run may reuse.
package struct ReusableAttempt: Sendable, Hashable {
  /// The stored attempt.
  package var attempt: AttemptRecord
  /// The run that made it.
  package var origin: RunOrigin

  package init(_ attempt: AttemptRecord, from origin: RunOrigin) {
    self.attempt = attempt
    self.origin = origin
  }
}

extension Runner {
  /// Carries out a plan with stored answers, which it judges by the plan's assertions.
  ///
  /// Cancelling the task ends the run; the attempts that were emitted until then are kept.
  ///
  /// - Parameters:
  ///   - plan: The plan, all of whose attempts are stored.
  ///   - stored: The stored attempts, keyed by the planned attempts.
  ///   - backends: The backends that the plan names, which are asked for nothing.
  ///   - onEvent: Receives an event for each attempt, one at a time.
  /// - Returns: How the run ended.
  package func reuse(
    _ stored: [AttemptKey: ReusableAttempt], for plan: RunPlan, on backends: [any EvalBackend],
    onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> Result {
    let sink = EventSink(on: events ?? WorkQueue("assay.events"), onEvent)
    let byID = Dictionary(backends.map { ($0.record.id, $0) }, uniquingKeysWith: { $1 })
    let fingerprints = RequestFingerprints()
    let readers = AnswerReaders()
    let queue = JobQueue(plan.jobs, mostAttempts: nil, threads: jobs)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<queue.mostJobs {
        group.addTask {
          while !Task.isCancelled, let job = await queue.next() {
            let judge = AttemptJudge(
              job: job,
              fingerprint: byID[job.backend].map {
                fingerprints.fingerprint(of: job.request, $0.record)
              },
              reader: readers.reader(of: job.request.answerSchema), traces: traces,
              commands: commands, time: judgingTime)
            for repeatSeed in job.repeats {
              guard !Task.isCancelled, let known = stored[job.key(repeatSeed.repeatIndex)],
                let attempt = await judge.reusing(
                  known.attempt, for: repeatSeed, from: known.origin)
              else { break }
              await sink.send(.finished(attempt))
            }
          }
        }
      }
    }
    return Result(ending: sink.attemptCount < plan.attemptCount ? .interrupted : .complete)
  }
}
