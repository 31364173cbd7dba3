extension AttemptRecord {
  /// Whether the attempt failed because of its backend (or of Assay itself) and therefore says
  /// nothing about the model.
  ///
  /// An answer that was cut off, a refusal and malformed output are failures of the model.
  package var isBackendError: Bool { outcome == .error && failure?.kind.saysNothing ?? true }

  /// Whether the attempt failed because of a defect of Assay.
  package var isDefect: Bool { outcome == .error && failure?.kind == .defect }
}
