import EvalRecords

extension ComparedPlace {
  /// The suite, variant and backend of both sides: `flashcards:bounded → naive on local`.
  package var words: String {
    "\(suiteWords) on \(Self.changed(baseline.backend, candidate.backend))"
  }

  /// The suite and variant of both sides, without the backend: `flashcards:bounded → naive`.
  var suiteWords: String {
    let variants =
      hasVariants || baseline.variant != candidate.variant
      ? ":" + Self.changed(baseline.variant, candidate.variant) : ""
    return Self.changed(baseline.suite, candidate.suite) + variants
  }

  private static func changed(_ before: String, _ after: String) -> String {
    before == after ? before : "\(before) → \(after)"
  }
}

/// The names of the places in one report, with the backend only if the report has several backends.
struct PlaceNames {
  private let hasBackends: Bool

  init(_ places: [ComparedPlace]) {
    hasBackends = Set(places.map { [$0.baseline.backend, $0.candidate.backend] }).count > 1
  }

  /// The name of a place.
  package func name(_ place: ComparedPlace) -> String {
    hasBackends ? place.words : place.suiteWords
  }
}

extension SideRecord {
  /// The part of the run that is compared, such as `flashcards:bounded on local`, or an empty
  /// string if the whole run is compared.
  var partWords: String {
    let name = [suite, variant].compactMap(\.self).joined(separator: ":")
    guard let backend else { return name }
    return name.isEmpty ? backend : "\(name) on \(backend)"
  }

  /// The run's number, followed by the file or branch that the run comes from, if any: `3 of main`.
  var runWords: String { "\(run)" + (origin.map { " of \($0)" } ?? "") }

  /// The compared part and its run: `flashcards:bounded on local in run 3`.
  package var words: String {
    let part = partWords
    return part.isEmpty ? "run \(runWords)" : "\(part) in run \(runWords)"
  }
}

extension ComparisonRecord {
  /// Descriptions of the two sides, which don't repeat a run or part that both sides share.
  package var sideWords: (before: String, after: String) {
    let isSameRun = baseline.isOfSameRun(as: candidate)
    guard !baseline.partWords.isEmpty, !candidate.partWords.isEmpty else {
      return (baseline.words, candidate.words)
    }
    if isSameRun { return (baseline.partWords, candidate.partWords) }
    guard baseline.partWords == candidate.partWords else {
      return (baseline.words, candidate.words)
    }
    return ("\(baseline.partWords), run \(baseline.runWords)", "run \(candidate.runWords)")
  }

  /// The comparison in one line: `flashcards:a in run 1 → flashcards:b in run 1`.
  package var words: String { "\(baseline.words) → \(candidate.words)" }
}

extension GuideEdit.Scope {
  /// The name of the suite or variant, or of the two sides of a comparison: `flashcards:bounded`.
  package var words: String {
    switch self {
    case .comparison(let before, let after): "\(before.words) → \(after.words)"
    case .suite(let suite, let variant): variant.map { "\(suite):\($0)" } ?? suite
    }
  }
}
