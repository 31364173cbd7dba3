extension AssertionKind {
  /// All kinds, in the order of the reference.
  package static let all: [AssertionKind] =
    [.count, .nonEmpty, .unique, .sorted, .branch, .equals, .deepEquals, .oneOf, .subsetOf]
    + [.range, .closeTo, .words, .sentences, .characters, .matches, .dateISO8601]
    + [.contains, .containsAny, .containsAll, .startsWith, .endsWith, .similar]
    + [.noMarkup, .notPlaceholder, .present, .absent, .isNull, .each, .any, .none, .find]
    + [.allOf, .anyOf, .not, .expression, .command, .boundHugging]
    + [.stopReason, .latency, .tokens, .pressure, .decision]
}
