import EvalRecords

extension ResultStore {
  /// A run as JSON Lines: the run record first, then one attempt a line, with sorted keys.
  ///
  /// - Parameter run: The run's id.
  /// - Returns: The lines without line ends.
  public func exportLines(run: Int) throws -> [String] {
    try [RecordText.text(of: self.run(run), path: path)]
      + attempts(run: run).map { try RecordText.text(of: $0, path: path) }
  }
}
