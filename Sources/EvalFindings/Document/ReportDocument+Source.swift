import EvalRecords

extension ReportDocument {
  /// Returns the place that defines a suite or test case.
  ///
  /// The file's path is relative to the repository if the run recorded where the file is in the
  /// repository. Otherwise it is relative to the folder given on the command line.
  ///
  /// Without a test case, it is the suite's place. The result is `nil` for a suite that is in no
  /// file.
  package func place(ofSuite suite: String, caseID: String?) -> (file: String, line: Int?)? {
    guard let source = run.details.sources?[suite] else {
      let file = run.suites.first { $0.id == suite }?.file ?? ""
      return file.isEmpty ? nil : (file, nil)
    }
    guard let caseID, let line = source.lines[caseID] else { return (source.file, nil) }
    return (source.caseFile ?? source.file, line)
  }

  /// The place of the first edited guide of the suite that regressed, or `nil` if nothing regressed
  /// or no guide was edited.
  package var placeOfEdit: (file: String, line: Int)? {
    guard let worst = worstSlice, let guides = run.details.sources?[worst.suite]?.guides else {
      return nil
    }
    return edits.lazy.filter { $0.scope.suite == worst.suite }
      .compactMap { guides.lines[$0.place] }.first.map { (guides.file, $0) }
  }

  /// Returns the path of a suite's file for a command that the reader copies.
  package func file(of suite: SuiteRecord) -> String {
    place(ofSuite: suite.id, caseID: nil)?.file ?? suite.file
  }
}
