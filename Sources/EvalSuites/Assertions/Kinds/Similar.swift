import EvalRecords
import StructuredText

extension AssertionKind {
  static let similar: AssertionKind = {
    let kind = values(
      "similar", "The string is similar to the expected text: few edits, or many words in common",
      version: 2,
      rows: [
        KeyRow("to", .text, "The expected text"), .variable,
        KeyRow("min", .probability, "The minimum similarity, from 0 to 1"),
        KeyRow(
          "maxDistance", .integer(minimum: 0, maximum: Similarity.maximumLength),
          "The maximum number of insertions, deletions and replacements of characters"),
        KeyRow(
          "measure", .choice(Similarity.Measure.allCases.map(\.rawValue)),
          "The edit distance (`edit`), the F1 score of the common words (`tokens`), or the share "
            + "of the expected text's words that the string contains (`recall`); a text without "
            + "letters and digits is like an equal text only",
          fallback: "`edit`"),
        .ignoringCase,
      ], rules: [.exactlyOne(["to", "variable"]), .exactlyOne(["min", "maxDistance"])],
      types: ["string"],
      example: AssertionExample(
        "similar: { path: $.city, to: Amsterdam, min: 0.8 }",
        passing: #"{"city": "Amsterdam"}"#, failing: #"{"city": "Rotterdam"}"#,
        actual: #"66.7 % similar: "Rotterdam""#),
      variable: { value, node, _ throws(UnfitVariable) in
        SimilarRule(similarity: Similarity(node), expected: value.text)
      }
    ) { node in
      node["to"]?.text.map { SimilarRule(similarity: Similarity(node), expected: $0) }
    }
    return AssertionKind(
      kind.name, kind.summary, kind.parameters, version: kind.version, example: kind.example
    ) { reader, node, view in
      if node["maxDistance"] != nil, node["measure"]?.text ?? "edit" != "edit" {
        reader.problems.add(
          node["measure"]?.location ?? node.location, "`maxDistance` counts edits",
          allowed: "`measure: edit`, or `min` instead of `maxDistance`")
        return nil
      }
      return kind.read(&reader, node, view)
    }
  }()
}

/// A rule that a string is similar to an expected text; see ``Similarity``.
struct SimilarRule: TextRule {
  /// The measure and its bound.
  var similarity: Similarity
  /// The expected text.
  var expected: String

  func judge(text: String) -> Judgement {
    guard let measurement = similarity.measurement(of: text, against: expected) else {
      return .notApplicable(
        "a text of more than \(Similarity.maximumLength) characters: \(ValueWords.quoted(text))")
    }
    return Judgement(
      similarity.isEnough(measurement),
      "\(similarity.words(measurement)): \(ValueWords.quoted(text))")
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + similarity.expectation(ValueWords.quoted(expected))
  }
}

extension Similarity {
  /// Creates the required similarity from a node that has passed the format check.
  fileprivate init(_ node: SourceNode) {
    self.init(
      measure: node["measure"]?.text.flatMap { Measure(rawValue: $0) } ?? .edit,
      minimum: node["min"]?.value.double, maximumDistance: node["maxDistance"]?.value.int,
      ignoringCase: node.flag("ignoringCase"))
  }

  private var noun: String {
    switch measure {
    case .edit: "similar"
    case .tokens: "common words"
    case .recall: "of the words"
    }
  }

  private static func percent(_ share: Double) -> String {
    ValueWords.number((share * 1000).rounded() / 10) + " %"
  }

  /// Returns a description of the expectation.
  ///
  /// - Parameter text: The expected text, in quotes.
  fileprivate func expectation(_ text: String) -> String {
    let bound =
      minimum.map { "at least \(Self.percent($0)) \(noun)" }
      ?? "at most \((maximumDistance ?? 0).counted("edit"))"
    return "\(bound): \(text)" + (ignoringCase ? " (ignoring case)" : "")
  }

  /// Returns a description of a measurement.
  fileprivate func words(_ measurement: Measurement) -> String {
    if minimum == nil, let distance = measurement.distance {
      return distance.counted("edit")
    }
    return "\(Self.percent(measurement.likeness)) \(noun)"
  }
}
