import EvalSuites

extension FileObservation {
  /// Waits until the files differ from the state in which they were read, and have stopped
  /// changing.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the pauses.
  ///   - pause: The pause between two checks of the files.
  ///   - isEnded: Returns whether to stop waiting; the function calls this closure before each
  ///     check of the files.
  /// - Returns: True if a file was edited; false if `isEnded` or a cancellation ended the wait.
  package func edited(
    clock: any Clock<Duration>, pause: Duration, isEnded: () -> Bool
  ) async -> Bool {
    var before = currentStates
    while !isEnded(), !Task.isCancelled {
      try? await clock.sleep(for: pause)
      let now = currentStates
      // An editor may write a file in several steps.
      if now == before, now != states { return true }
      before = now
    }
    return false
  }
}
