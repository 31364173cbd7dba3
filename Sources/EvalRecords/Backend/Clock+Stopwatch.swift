extension Clock where Duration == Swift.Duration {
  /// Starts a stopwatch.
  ///
  /// - Returns: A function that returns the seconds since this call.
  package func stopwatch() -> @Sendable () -> Double {
    let start = now
    return {
      let elapsed = start.duration(to: now).components
      return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    }
  }
}
