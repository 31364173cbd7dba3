import EvalRecords
public import EvalStatistics

/// Writes a lab's result for a terminal: a table of the trials, and the conclusion.
public enum LabReport {
  /// Writes the table and the conclusion.
  ///
  /// - Parameters:
  ///   - result: The result of the lab.
  ///   - color: Whether to write control sequences for colors.
  /// - Returns: The lines, each ending in a line feed.
  public static func render(_ result: LabResult, color: Bool) -> String {
    let style = TextStyle(isOn: color)
    let isCulprit = result.question == .culprit
    let together = result.together.map { [LabResult.Trial(title: "all edits", alone: $0)] } ?? []
    let sides = [("alone", \LabResult.Trial.alone)] + (isCulprit ? [("without it", \.without)] : [])
    let table = ReportTable("Lab", together + result.trials) { table in
      table.column(isCulprit ? "edit" : "mutation", .name) { .text($0.title) }
      for (title, side) in sides {
        table.cells(title) { $0[keyPath: side].map { .verdict($0.verdict) } ?? .init(.text("")) }
        table.column("pass rate", .number) {
          $0[keyPath: side]?.passRate.map { .change($0.change, low: nil, high: nil) } ?? .text("")
        }
      }
      table.column("most telling") { .text($0.obstacle ?? mostTelling($0.alone)) }
    }
    var lines = [style.bold("Lab") + " from \(result.base)"]
    lines += table.lines(style).map { "  " + $0 }
    lines += ["", style.bold(conclusion(of: result))]
    if result.question == .culprit {
      let next = step(of: result).map { "Do next: \($0)." }
      let more = [details(of: result), next].compactMap(\.self).joined(separator: " ")
      if !more.isEmpty { lines.append(more) }
    }
    lines.append(
      style.dim(
        "each row is compared with the base on the same test cases and seeds, "
          + result.levelWords))
    return lines.map { $0 + "\n" }.joined()
  }

  /// The result of the trials, in a few sentences.
  public static func conclusion(of result: LabResult) -> String {
    switch result.question {
    case .culprit: culprits(of: result)
    case .survivors: survivors(of: result)
    }
  }

  private static func culprits(of result: LabResult) -> String {
    guard let together = result.together else { return "Nothing was compared." }
    guard together.verdict == .regressed || together.verdict == .improved else {
      return together.verdict == .broken
        ? "With all edits together, there are too many backend errors for a comparison."
        : "There is no detectable change, so there is nothing to attribute."
    }
    let change = together.verdict == .regressed ? "regression" : "improvement"
    let answers = result.answers
    guard !answers.isEmpty else {
      return
        "No edit clearly causes the \(change) alone, and no edit is clearly necessary for it. "
        + "Different combinations of edits may cause it, or there is too little data to tell."
    }
    let names = list(answers.map { "the " + $0.title })
    guard result.isCausedAlone else {
      return "No edit alone causes the \(change). It needs \(names)."
    }
    let needed = answers.filter { trial in
      trial.without.map(result.isNecessary) ?? false
    }
    if answers.count == 1, !needed.isEmpty {
      let quantity = together.mostTelling.map { " of \(VisibleText.line($0.title))" } ?? ""
      return "The \(change)\(quantity) comes from \(names): this edit alone causes it, and the "
        + "other edits together don’t make this quantity worse."
    }
    return
      "The \(change) comes from \(names): \(answers.count == 1 ? "this edit" : "each of them") "
      + "alone causes it."
  }

  /// A short conclusion, which counts the mutations that survived but doesn't name them.
  static func headline(of result: LabResult) -> String {
    guard result.question == .survivors, !result.answers.isEmpty else {
      return conclusion(of: result)
    }
    return survivorCount(of: result) + "."
  }

  /// The effect of all edits together or, in a lab of mutations, the number of undecided mutations.
  ///
  /// The result is `nil` if the headline says everything.
  static func details(of result: LabResult) -> String? {
    guard !result.answers.isEmpty else { return nil }
    guard result.question == .culprit else { return undecidedWords(of: result) }
    let words = mostTelling(result.together)
    return result.together?.verdict == .regressed && !words.isEmpty
      ? "With all edits together: \(words)." : nil
  }

  /// The next step as an imperative sentence without a full stop, or `nil` if there is nothing to
  /// do.
  static func step(of result: LabResult) -> String? {
    let count = result.answers.count
    guard count > 0 else { return nil }
    switch result.question {
    case .survivors:
      return
        "add a test case or an assertion that notices \(count == 1 ? "it" : "them"), or delete "
        + "the words if they do nothing"
    case .culprit:
      guard result.together?.verdict == .regressed else { return nil }
      guard count > 1 else { return "undo or reword that edit" + remainder(of: result) }
      // If each edit alone causes the change, the others still cause it when one is undone.
      return result.isCausedAlone
        ? "undo or reword \(count == 2 ? "both" : "all \(count)") of those edits"
        : "undo or reword one of those edits"
    }
  }

  /// The rest of the step if the edits that don't cause the change alone may cause it together.
  private static func remainder(of result: LabResult) -> String {
    let answers = result.answers
    guard answers.count == 1, let without = answers[0].without, result.causesChange(without)
    else { return "" }
    return "; the other edits together also cause the regression, so run the lab again without it"
  }

  private static func survivors(of result: LabResult) -> String {
    guard tried(in: result) > 0 else { return "The variant has nothing that could be mutated." }
    let undecided = undecidedWords(of: result)
    guard !result.answers.isEmpty else { return undecided ?? "The suite notices every mutation." }
    return [
      survivorCount(of: result) + ": \(list(result.answers.map(\.title))).",
      step(of: result).map { "Do next: \($0)." }, undecided,
    ].compactMap(\.self).joined(separator: " ")
  }

  private static func tried(in result: LabResult) -> Int {
    result.trials.count { $0.alone != nil }
  }

  private static func survivorCount(of result: LabResult) -> String {
    let count = result.answers.count
    return "\(count) of \(tried(in: result).counted("mutation")) survived; no test case notices "
      + (count == 1 ? "it" : "them")
  }

  private static func undecidedWords(of result: LabResult) -> String? {
    let undecided = result.undecided
    guard !undecided.isEmpty else { return nil }
    let count = tried(in: result).counted("mutation")
    return "The suite may or may not notice \(undecided.count) of \(count): chance could explain "
      + "the additional failures, or no comparison was possible. More repeats may settle it."
  }

  private static func list(_ names: [String]) -> String {
    let names = names.map(VisibleText.line)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The verdict and the most informative effect of a finding, or an empty string if there is no
  /// finding.
  static func words(_ finding: LabResult.Finding?) -> String {
    guard let finding else { return "" }
    return [finding.verdict.words, mostTelling(finding)].filter { !$0.isEmpty }
      .joined(separator: ": ")
  }

  /// The most informative effect of a finding in words, or an empty string if there is none.
  static func mostTelling(_ finding: LabResult.Finding?) -> String {
    guard let effect = finding?.mostTelling else { return "" }
    let p = (effect.adjustedP ?? effect.pValue).map { ", \(NumberText.namedPValue($0))" }
    return "\(VisibleText.line(effect.title)) \(effect.sidesWords)" + (p ?? "")
  }
}

extension LabResult {
  /// Whether each of the edits that answer the lab's question causes the change on its own.
  fileprivate var isCausedAlone: Bool {
    answers.allSatisfy { $0.alone.map(causesChange) ?? false }
  }
}
