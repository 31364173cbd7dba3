extension AttemptRecord {
  /// Whether the attempt failed because of its backend and therefore says nothing about the model.
  ///
  /// An answer that was cut off, a refusal and malformed output are failures of the model.
  package var isBackendError: Bool { outcome == .error && failure?.kind.isOfBackend ?? true }
}
