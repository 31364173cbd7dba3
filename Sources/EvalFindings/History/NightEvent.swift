import EvalRecords
import EvalStatistics

/// A change between two nights that may explain why rates changed.
package struct NightEvent: Sendable, Hashable {
  /// The index of the first entry with the change.
  package let entry: Int
  /// The change in a few words: `DraftCardSet.cards edited`.
  package let label: String
  /// The slices that the change affects, or `nil` if it can affect all of them.
  package let slices: Set<SliceKey>?

  /// The events of a history, in chronological order.
  package static func events(_ entries: [HistoryEntry], _ changes: [GuideChange]) -> [NightEvent] {
    var events: [NightEvent] = []
    for index in entries.indices.dropFirst() {
      let (earlier, later) = (entries[index - 1], entries[index])
      var labels: [String] = []
      let own = changes.filter { $0.entry == index }
      let edits = own.flatMap { $0.edits.map(\.place) }
      if let first = edits.first {
        labels.append(
          edits.count == 1 ? "\(first) edited" : "\(NumberText.count(edits.count, "guide")) edited")
      }
      let editLabels = labels.count
      for backend in later.backends {
        guard let before = earlier.backends.first(where: { $0.id == backend.id }) else { continue }
        if before.digest != backend.digest || before.model != backend.model {
          labels.append("\(backend.id) is \(backend.model)")
        } else if before.engine != backend.engine {
          labels.append(backend.engine)
        }
      }
      if Set(earlier.judged.map(\.key)) != Set(later.judged.map(\.key)) {
        labels.append("different suites")
      }
      guard !labels.isEmpty else { continue }
      let text = ClippedText.line(labels.prefix(2).joined(separator: ", "), limit: 60)
      events.append(
        NightEvent(
          entry: index, label: text,
          slices: labels.count > editLabels ? nil : Set(own.map(\.slice))))
    }
    return events
  }
}
