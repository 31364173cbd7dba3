import EvalRecords

/// The edits to one slice's guides and prompts between two nights, with their effect on the pass
/// rate.
package struct GuideChange: Sendable {
  /// The index of the first entry with the new texts.
  package let entry: Int
  package let slice: SliceKey
  package let edits: [GuideText.Edit]
  /// The change in the median prompt length, in tokens, or `nil` if either night has no count.
  package let promptTokens: Double?
  /// The pass rates before and after the edits, each pooled over nights with the same texts, and
  /// over the test cases that all these nights have.
  package let change: ShareChange
  /// The p-value, adjusted for all changes in the history.
  package private(set) var adjustedP = 1.0

  /// The maximum number of nights pooled on each side.
  private static let window = 14
  private static let maximumChanges = 400

  /// The changes of a history, newest first.
  package static func changes(in history: RunHistory) -> [GuideChange] {
    var changes: [GuideChange] = []
    slices: for key in history.judgedKeys {
      let nights = history.entries.enumerated().compactMap { index, entry in
        entry.isMeasured
          ? entry.slice(key).flatMap { $0.isPart ? nil : (index: index, slice: $0) } : nil
      }
      for position in nights.indices.dropFirst() {
        let (earlier, later) = (nights[position - 1], nights[position])
        guard earlier.slice.guides != later.slice.guides,
          let before = history.texts[earlier.slice.guides],
          let after = history.texts[later.slice.guides]
        else { continue }
        let edits = GuideText.edits(from: before, to: after)
        guard !edits.isEmpty else { continue }
        let same = { (text: String) in
          { (night: (index: Int, slice: HistoryEntry.Slice)) in
            night.slice.guides == text
          }
        }
        let left = nights[..<position].reversed().prefix(while: same(earlier.slice.guides))
          .prefix(window).map(\.slice)
        let right = nights[position...].prefix(while: same(later.slice.guides))
          .prefix(window).map(\.slice)
        let common = (left + right).map { Set($0.cases.map(\.id)) }
          .reduce(Set(later.slice.cases.map(\.id))) { $0.intersection($1) }
        func pooled(_ slices: [HistoryEntry.Slice]) -> Share {
          Share(pooling: slices.map { $0.share(of: common) })
        }
        let tokens = later.slice.medianPromptTokens - earlier.slice.medianPromptTokens
        changes.append(
          GuideChange(
            entry: later.index, slice: key, edits: edits,
            promptTokens: earlier.slice.medianPromptTokens > 0
              && later.slice.medianPromptTokens > 0 ? tokens : nil,
            change: ShareChange(from: pooled(left), to: pooled(right))))
        if changes.count >= maximumChanges { break slices }
      }
    }
    for (index, p) in Multiplicity.family(changes.map(\.change.pValue)).enumerated() {
      changes[index].adjustedP = p
    }
    return changes.enumerated().sorted {
      ($1.element.entry, $0.offset) < ($0.element.entry, $1.offset)
    }.map(\.element)
  }

  private init(
    entry: Int, slice: SliceKey, edits: [GuideText.Edit], promptTokens: Double?, change: ShareChange
  ) {
    self.entry = entry
    self.slice = slice
    self.edits = edits
    self.promptTokens = promptTokens
    self.change = change
  }
}

extension RunHistory {
  /// The judged slices of all runs: first the newest run's slices, then the slices that only older
  /// runs have.
  package var judgedKeys: [SliceKey] {
    var keys: [SliceKey] = []
    var seen: Set<SliceKey> = []
    for entry in entries.reversed() {
      for slice in entry.judged where seen.insert(slice.key).inserted { keys.append(slice.key) }
    }
    return keys
  }
}
