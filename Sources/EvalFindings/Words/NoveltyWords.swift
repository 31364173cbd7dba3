import EvalRecords

extension Novelty {
  /// The maximum number of suites that a sentence names.
  private static let maximumNames = 3

  /// Says what is new, what is known and what is fixed.
  ///
  /// The result is `nil` if there is nothing to say. An example: `New since run 59 (27 Nov):
  /// recipes. Known since run 12 (3 Oct), for 48 runs: the gate of symptoms.`
  package func words(in view: NightView) -> String? {
    guard let previous, !isEmpty else { return nil }
    let since = view.runName(previous)
    var sentences: [String] = []
    if !new.isEmpty { sentences.append("New since \(since): \(names(new, view)).") }
    if new.isEmpty, !known.isEmpty { sentences.append("Nothing is new since \(since).") }
    // Findings that began in the same run share a sentence.
    var starts: [Int: [Known]] = [:]
    for known in known { starts[known.first, default: []].append(known) }
    for first in starts.keys.sorted().prefix(Self.maximumNames) {
      let group = starts[first] ?? []
      let runs = group.map(\.runs).max() ?? 0
      sentences.append(
        "Known since \(view.runName(first)), for \(NumberText.count(runs, "run")): "
          + "\(names(group.map(\.finding), view)).")
    }
    if !fixed.isEmpty { sentences.append("Fixed since \(since): \(names(fixed, view)).") }
    return sentences.joined(separator: " ")
  }

  /// The suites of some findings; a suite that regressed needs no second mention for its gate.
  private func names(_ all: [Finding], _ view: NightView) -> String {
    let regressed = Set(all.filter { $0.kind == .regression }.map(\.slice))
    let findings = all.filter { $0.kind == .regression || !regressed.contains($0.slice) }
    let names = findings.prefix(Self.maximumNames).map { finding in
      let name = ClippedText.line(view.name(finding.slice), limit: 60)
      return finding.kind == .gate ? "the gate of \(name)" : name
    }
    let rest = findings.count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
  }
}
