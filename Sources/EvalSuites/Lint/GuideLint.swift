import EvalRecords
import GuidedGeneration
import StructuredText

/// Checks the guides of a schema against the rules of ``LintRule``.
package struct GuideLint {
  private let schema: GenerationSchema
  private let layout: GenerationSettings.Whitespace
  private var findings: [LintFinding] = []
  /// The names of enum cases, each with the enums that have a case of this name.
  private var enumsOfCase: [(name: String, places: [String])] = []

  /// The maximum nesting depth of the inline types to check.
  private static let maximumDepth = 64

  /// Checks a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - layout: The white space that the mask allows in answers.
  /// - Returns: The findings in the order of the schema's types and properties, followed by the
  ///   findings about enums that share a case name.
  package static func findings(
    in schema: GenerationSchema, layout: GenerationSettings.Whitespace = .any
  ) -> [LintFinding] {
    var lint = GuideLint(schema: schema, layout: layout)
    lint.visit(schema.root, name: schema.root.name ?? "Root", depth: 0)
    for definition in schema.definitions {
      lint.visit(definition.node, name: definition.name, depth: 0)
    }
    for (name, places) in lint.enumsOfCase where places.count > 1 {
      lint.add(
        .collidingCases, places[1], "`\(places[0])` also has a case `\(name)`")
    }
    return lint.findings
  }

  private init(schema: GenerationSchema, layout: GenerationSettings.Whitespace) {
    self.schema = schema
    self.layout = layout
  }

  private mutating func checkLayout(_ place: String) {
    if layout == .any { return }
    add(.fixedLayout, place, "`whitespace: \(layout.rawValue)` fixes the layout")
  }

  private mutating func add(_ rule: LintRule, _ place: String, _ message: String) {
    findings.append(LintFinding(rule: rule, place: place, message: message))
  }

  private mutating func visit(_ node: SchemaNode, name: String, depth: Int) {
    guard depth < Self.maximumDepth else { return }
    switch node {
    case .object(let object):
      if object.branchName != nil, isBlank(object.description) {
        add(.missingGuide, name, "the enum case has no guide")
      }
      for property in object.properties
      where !(object.branchName != nil && property.name == "type") {
        visit(property, of: name, depth: depth)
      }
    case .union(let union):
      visitChoice(node, name)
      for (index, choice) in union.choices.enumerated() {
        visit(choice, name: choice.name ?? "\(name)\(index + 1)", depth: depth + 1)
      }
    case .string(let string) where string.choices?.count ?? 0 > 1: visitChoice(node, name)
    case .array(let array):
      visit(array.element, name: array.element.name ?? name, depth: depth + 1)
    case .integer(let integer)
    where integer.minimumText == nil && integer.maximumText == nil:
      add(.unboundedNumber, name, "the number has no bound")
    case .number(let number) where number.minimum == nil && number.maximum == nil:
      add(.unboundedNumber, name, "the number has no bound")
    case .string, .integer, .number, .boolean, .constant, .null, .reference, .any: break
    }
  }

  private mutating func visit(_ property: PropertySchema, of type: String, depth: Int) {
    let place = "\(type).\(property.name)"
    let guide = property.effectiveDescription ?? ""
    if isBlank(guide) {
      add(.missingGuide, place, "the property has no guide")
    } else {
      checkWords(guide, place)
    }
    checkBounds(property.node, guide, place)
    checkFact(property, guide, place)
    let name = property.node.name ?? place
    switch property.node {
    case .reference, .integer, .number: return
    default: break
    }
    visit(property.node, name: name, depth: depth + 1)
  }

  // MARK: Rules

  private mutating func checkBounds(_ node: SchemaNode, _ guide: String, _ place: String) {
    let bounds: (minimum: Int?, maximum: Int?)
    let isArray: Bool
    switch node {
    case .array(let array):
      bounds = (array.minimumCount, array.maximumCount)
      isArray = true
      if array.maximumCount == nil || array.minimumCount != array.maximumCount {
        checkLayout(place)
      }
    case .integer(let integer):
      bounds = (integer.minimum, integer.maximum)
      isArray = false
    case .number(let number):
      bounds = (
        number.minimum.flatMap { Int(exactly: $0.double.rounded()) },
        number.maximum.flatMap { Int(exactly: $0.double.rounded()) }
      )
      isArray = false
    default: return
    }
    let worded = WordedBounds(in: guide)
    switch (worded, bounds.minimum == nil && bounds.maximum == nil) {
    case (nil, true):
      if isArray {
        add(.unboundedArray, place, "the number of elements has no bound")
      } else {
        add(.unboundedNumber, place, "the number has no bound")
      }
    case (let worded?, true):
      add(.boundInWordsOnly, place, "the guide says \(worded.words), but the schema has no bound")
    case (let worded?, false):
      let differs =
        (worded.minimum != nil && worded.minimum != bounds.minimum)
        || (worded.maximum != nil && worded.maximum != bounds.maximum)
      let isLooser =
        (worded.minimum ?? 0) >= bounds.minimum ?? 0
        && (worded.maximum ?? bounds.maximum ?? .max) <= bounds.maximum ?? .max
      if differs, isLooser {
        let schema = WordedBounds.words(bounds.minimum, bounds.maximum)
        add(
          .boundInWordsOnly, place,
          "the guide says \(worded.words), but the schema says only \(schema)")
      } else if differs {
        let schema = WordedBounds.words(bounds.minimum, bounds.maximum)
        add(
          .boundContradiction, place,
          "the guide says \(worded.words), but the schema says \(schema)")
      }
    case (nil, false): break
    }
  }

  private mutating func checkFact(
    _ property: PropertySchema, _ guide: String, _ place: String
  ) {
    guard !property.isOptional, !isBlank(guide) else { return }
    let words = Self.words(guide)
    let isText: Bool
    switch property.node {
    case .string(let string): isText = string.choices == nil && string.pattern == nil
    case .integer, .number: isText = false
    default: return
    }
    if case .string(let string) = property.node, string.choices != nil { return }
    if words.isDisjoint(with: Self.fallbackWords) {
      add(.noFallback, place, "the guide does not say what to answer if the fact is missing")
    }
    if isText, words.isDisjoint(with: Self.formatWords) {
      add(.noFormat, place, "the guide does not say which formatting is allowed")
    }
  }

  private mutating func checkWords(_ guide: String, _ place: String) {
    let vague = Self.words(guide).intersection(Self.vagueWords).sorted()
    if !vague.isEmpty { add(.vagueWords, place, "the guide says \(ValueWords.list(vague))") }
  }

  private mutating func visitChoice(_ node: SchemaNode, _ place: String) {
    guard let branches = schema.branches(of: node), branches.count > 1 else { return }
    checkLayout(place)
    if !branches.contains(where: Self.isOutBranch) {
      add(
        .noOutBranch, place,
        "there is no fallback case: each of \(ValueWords.list(branches)) is for particular inputs")
    }
    for branch in branches {
      if let index = enumsOfCase.firstIndex(where: { $0.name == branch }) {
        if !enumsOfCase[index].places.contains(place) { enumsOfCase[index].places.append(place) }
      } else {
        enumsOfCase.append((branch, [place]))
      }
    }
  }

  private func isBlank(_ text: String?) -> Bool { text?.allSatisfy(\.isWhitespace) ?? true }

  static func words(_ text: String) -> Set<String> {
    Set(text.lowercased().split { !$0.isLetter }.map(String.init))
  }

  // MARK: Words

  /// Returns whether the name of an enum case marks it as the fallback case, for example `unclear`
  /// or `notApplicable`.
  static func isOutBranch(_ name: String) -> Bool {
    outNames.contains(name.lowercased().filter(\.isLetter))
  }

  static let fallbackWords: Set<String> = [
    "if", "otherwise", "or", "unless", "when", "missing", "none", "empty", "unknown", "default",
    "unspecified", "null", "absent",
  ]
  private static let formatWords: Set<String> = [
    "plain", "markdown", "bullet", "bullets", "formatting", "html", "emoji", "list", "lists",
    "separated", "yyyy", "iso",
  ]
  private static let vagueWords: Set<String> = [
    "appropriate", "good", "nice", "suitable", "relevant", "proper", "reasonable", "several",
    "some", "various", "concise", "brief", "interesting", "adequate", "etc",
  ]
  private static let outNames: Set<String> = [
    "unclear", "unknown", "other", "none", "uncertain", "undetermined", "notapplicable",
    "unspecified", "invalid", "nomatch", "neither", "ambiguous", "offtopic", "insufficient",
    "unrelated", "undecided", "na",
  ]
}

extension WordedBounds {
  /// Returns a description of a schema's bounds.
  fileprivate static func words(_ minimum: Int?, _ maximum: Int?) -> String {
    NumberBounds(
      minimum: minimum.map { JSONNumber($0) }, maximum: maximum.map { JSONNumber($0) }
    ).words
  }
}

extension Suite {
  /// Returns possible improvements to a variant's guides, without the findings that the suite
  /// silences.
  ///
  /// - Parameter variant: The variant's id, or `nil` for the first variant.
  public func lint(variant: String? = nil) -> [LintFinding] {
    let chosen = variants.first { variant == nil || $0.id == variant }
    guard let chosen else { return [] }
    return guideFindings(of: chosen).filter { finding in
      !silencedRules.contains(finding.rule.rawValue)
        && !silencedRules.contains("\(finding.rule.rawValue) at \(finding.place)")
    }
  }

  /// Returns the findings about a variant's guides, including silenced findings.
  func guideFindings(of variant: SuiteVariant) -> [LintFinding] {
    let settings = effectiveSettings(of: [variant]).settings(in: variant.id)
    return GuideLint.findings(
      in: variant.generationSchema, layout: settings.mask == .on ? settings.whitespace : .any)
  }
}
