extension AttemptRecord {
  /// True if the attempt failed because of its backend, so that it says nothing about the model.
  ///
  /// An answer that was cut off, a refusal and malformed output are failures of the model.
  package var isBackendError: Bool { outcome == .error && failure?.kind.isOfBackend ?? true }
}
