extension BackendRecord {
  /// The engine's name that identifies the stub in records.
  fileprivate static let stubEngine = "stub: answers from the suite file"

  /// Returns the identity of a stub, which answers with content from the suite file.
  ///
  /// - Parameter id: The id that attempts refer to.
  public static func stub(id: String = "stub") -> BackendRecord {
    BackendRecord(id: id, model: "stub", engine: stubEngine, isDeterministic: true)
  }

  /// Whether a stub answered, so that the script decides about the answers, and not the settings.
  public var isStub: Bool { engine == Self.stubEngine }
}

extension HistoryEntry.Backend {
  /// Whether a stub answered.
  package var isStub: Bool { engine == BackendRecord.stubEngine }
}
