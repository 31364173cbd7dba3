import EvalRecords

extension Recheck.LeftOut {
  /// The number of test cases, or 0 for a suite that was not asked for.
  package var count: Int {
    switch self {
    case .notNamed: 0
    case .suiteGone(_, let cases): cases
    case .casesGone(_, let cases), .newCases(_, let cases), .otherRequests(_, let cases),
      .unreadable(_, let cases):
      cases.count
    }
  }

  /// The part and the reason in words.
  package var words: String {
    func list(_ cases: [String]) -> String {
      cases.prefix(5).joined(separator: ", ")
        + (cases.count > 5 ? " and \(cases.count - 5) more" : "")
    }
    return switch self {
    case .suiteGone(let suite, _):
      "\(suite): the suite no longer exists; its answers are left out"
    case .notNamed(let suite):
      "\(suite): the suite was not named; its answers are left out"
    case .casesGone(let suite, let cases):
      "\(suite): the suite no longer has \(list(cases)); the answers are left out"
    case .newCases(let suite, let cases):
      "\(suite): the run has no answers to \(list(cases)); only a new run can make them"
    case .otherRequests(let suite, let cases):
      "\(suite): the schema, the prompt or an option of \(list(cases)) has changed since the run, "
        + "so the stored answers answer another request; only a new run can answer this one"
    case .unreadable(let suite, let cases):
      "\(suite): the answers to \(list(cases)) can't be judged: a text isn't stored, or doesn't "
        + "fit the schema"
    }
  }
}

extension Recheck.Change {
  /// The changed verdict in words: `quiz/a#0  is ok: pass → fail`.
  package var words: String {
    let change =
      switch (verdict.before, verdict.after) {
      case (let before?, let after?): "\(before.rawValue) → \(after.rawValue)"
      case (nil, let after?): "\(after.rawValue) (new assertion)"
      case (let before?, nil): "\(before.rawValue) (assertion gone)"
      case (nil, nil): "unchanged"
      }
    return "\(key.address)  \(verdict.assertion): \(change)"
  }
}
