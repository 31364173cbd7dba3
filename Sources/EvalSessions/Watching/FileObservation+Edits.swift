import EvalSuites

extension FileObservation {
  /// Waits until what was read would be another text, and has stopped changing.
  ///
  /// - Parameters:
  ///   - clock: The clock of the pauses between two looks.
  ///   - pause: How long they are.
  ///   - isEnded: Whether nothing waits any more; checked before each look.
  /// - Returns: Whether something was edited; false if the waiting was ended.
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
