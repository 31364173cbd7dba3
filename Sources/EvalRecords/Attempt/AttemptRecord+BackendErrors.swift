extension AttemptFailure.Kind {
  /// Whether the backend failed (a crash, a timeout, a refused connection), and not the model.
  package var isOfBackend: Bool {
    switch self {
    case .backend, .timeout, .rateLimited, .unsupportedGenerationGuide: true
    case .truncated, .refusal, .malformedOutput, .schemaMismatch, .contextSizeExceeded: false
    }
  }
}

extension AttemptRecord {
  /// Whether the attempt failed because of its backend, so that it tells nothing of the model.
  ///
  /// An answer that was cut off, a refusal and a malformed output are failures of the model.
  package var isBackendError: Bool { outcome == .error && failure?.kind.isOfBackend ?? true }
}
