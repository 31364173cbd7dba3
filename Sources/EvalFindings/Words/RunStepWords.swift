extension RunStep {
  /// The step as an imperative sentence without a full stop, with names between backticks.
  package var words: String {
    switch self {
    case .resume:
      "make the missing attempts; give this command the suites and options that you gave the run"
    case .importMissing:
      "import a log with an answer to each test case, or permit missing answers with "
        + "--allow-missing"
    case .runSuites: "run the suites, because only a model can answer the changed requests"
    case .checkSelection:
      "check the selected suites, test cases, tags and shards, and the run’s budgets"
    case .lab(let words): words
    case .acceptFirst:
      "if these answers are good enough, accept the run as the first baseline"
    case .runModel(let placeholders):
      Self.runModel(placeholders)
    case .replaceBaseline(let hasOtherRequests, let command):
      (hasOtherRequests
        ? "run again with the baseline’s model and options" : "undo what differs from the baseline")
        + (command == nil
          ? "" : " or, if the difference is intended, accept this run as the new baseline")
    case .renewBaseline:
      "renew the baseline, which was measured under an older protocol"
    case .reviseEdit(let place, let change):
      "undo or reword the edit of `\(Self.name(place))`, which \(Self.name(change))"
    case .findEdit(let count, _): "find which of the \(count) edits causes it"
    case .reviseOneOf(let places):
      "undo the edits one at a time, and run again: \(Self.list(places))"
    case .inspect: "no guide changed, so look at an answer"
    case .inspectFailure: "look at an answer to a test case that fails now"
    case .planSample: "find out how many repeats or test cases would settle it"
    case .acceptBaseline: "if this is what you want, accept this run as the new baseline"
    case .rest: "nothing is urgent, because no suite got worse"
    case .keepEither: "keep either variant, because nothing clearly changed"
    case .keepEdits(let places):
      places.isEmpty ? "keep the better variant" : "keep the edit of \(Self.list(places))"
    }
  }

  /// The command that carries out the step, or `nil` if there is no command for it.
  package var command: String? {
    switch self {
    case .resume(let command), .acceptFirst(let command), .renewBaseline(let command),
      .findEdit(_, let command), .inspect(let command), .inspectFailure(let command),
      .planSample(let command), .acceptBaseline(let command):
      command
    case .replaceBaseline(_, let command): command
    case .importMissing, .runSuites, .checkSelection, .lab, .runModel, .reviseEdit, .reviseOneOf,
      .rest, .keepEither, .keepEdits:
      nil
    }
  }

  private static func runModel(_ placeholders: [String]) -> String {
    let run = "run the suites on a model (--model or --backend)"
    return placeholders.isEmpty
      ? "\(run), because the stub’s answers come from the suites themselves"
      : "replace the inputs that `init` wrote (\(list(placeholders))), and \(run)"
  }

  private static func list(_ places: [String]) -> String {
    places.map { "`\(name($0))`" }.listed(3)
  }

  /// Returns a name on one line, without backticks, because a backtick would end the name.
  package static func name(_ place: String) -> String {
    VisibleText.line(place).replacing("`", with: "'")
  }
}
