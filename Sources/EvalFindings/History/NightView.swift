import EvalRecords
import EvalStatistics

/// A history laid out for drawing: an axis, events, and the rates at each place on the axis.
package final class NightView: Sendable {
  package let history: RunHistory
  /// The name of the program whose commands the page names.
  package let program: String
  package let axis: NightAxis
  package let changes: [GuideChange]
  package let events: [NightEvent]
  /// The places to draw: all places of the axis, or only the last ones.
  package let places: Range<Int>
  /// The judged slices of all runs.
  package let keys: [SliceKey]
  private let sliceNames: SliceNames
  private let stretchesOfKey: [SliceKey: [Stretch]]

  /// A steady stretch of a slice, with the entries at which it begins and ends.
  package typealias Stretch = (stretch: SteadyStretch, first: Int, last: Int)

  /// The maximum number of nights that a report shows.
  static let reportLimit = 30

  /// The maximum number of slices to search for changes.
  private static let maximumSearched = 100

  package init(_ history: RunHistory, program: String = "assay") {
    self.history = history
    self.program = program
    axis = NightAxis(history.entries)
    keys = history.judgedKeys
    sliceNames = SliceNames(keys)
    changes = GuideChange.changes(in: history)
    events = NightEvent.events(history.entries, changes)
    places = axis.places.indices
    let searched = keys.prefix(Self.maximumSearched)
    // The level is for all suites of the page together.
    let level = 0.01 / Double(max(1, searched.count))
    stretchesOfKey = Dictionary(
      first: searched.map { ($0, Self.stretches($0, in: history, level: level)) })
  }

  /// Creates a view that draws only the end of another view's axis, at most `limit` places.
  package init(_ other: NightView, limit: Int) {
    history = other.history
    program = other.program
    axis = other.axis
    changes = other.changes
    events = other.events
    (keys, sliceNames) = (other.keys, other.sliceNames)
    stretchesOfKey = other.stretchesOfKey
    places = max(0, axis.places.count - limit)..<axis.places.count
  }

  /// The entry at each drawn place, or `nil` where nothing ran.
  package var entries: [HistoryEntry?] {
    places.map { place in axis.places[place].map { history.entries[$0] } }
  }

  /// The name of each drawn place, or `nil` where nothing ran.
  package var names: [String?] { places.map { place in axis.places[place].map { axis.names[$0] } } }

  /// The date of each drawn place, or `nil` where nothing ran.
  package var dates: [String?] {
    places.map { place in
      axis.places[place].map { NightAxis.shortDate(history.entries[$0].startedAt) }
    }
  }

  /// The name of a drawn place with its date: `run 47 (9 Nov)`.
  package func placeName(_ place: Int) -> String {
    guard names.indices.contains(place), let name = names[place] else { return "then" }
    return axis.hasNumbers ? "run \(name) (\(dates[place] ?? ""))" : name
  }

  /// The name of an entry: `run 47 (9 Nov)` or, without its date, `run 47`.
  package func runName(_ entry: Int, withDate: Bool = true) -> String {
    let name = axis.names[entry]
    guard axis.hasNumbers else { return name }
    guard withDate else { return "run \(name)" }
    return "run \(name) (\(NightAxis.shortDate(history.entries[entry].startedAt)))"
  }

  /// The slices, worst first.
  ///
  /// Slices that got worse come first, largest drop first. The other slices follow, lowest rate
  /// first.
  package var worstFirst: [SliceKey] {
    func rank(_ key: SliceKey) -> (Double, Double) {
      let stretches = stretches(key)
      let newest = history.entries.last { $0.isMeasured }?.slice(key)?.share
      guard let last = fall(of: key), stretches.count > 1 else {
        return (0, newest.map { $0.count > 0 ? $0.value : 1 } ?? 1)
      }
      let before = stretches[stretches.count - 2].stretch.share.value
      return (last.stretch.share.value - before, newest?.value ?? 1)
    }
    return keys.map { (key: $0, rank: rank($0)) }.sorted { $0.rank < $1.rank }.map(\.key)
  }

  /// The events at drawn places, with the index of each place.
  ///
  /// Index 0 is the first drawn place.
  package var marks: [(place: Int, label: String)] { marks(for: nil) }

  /// The events at drawn places that can affect a slice, or all events for `nil`.
  package func marks(for key: SliceKey?) -> [(place: Int, label: String)] {
    events.filter { event in key.map { event.slices?.contains($0) ?? true } ?? true }.map {
      (axis.placeOfEntry[$0.entry], "\(axis.unit) \(axis.names[$0.entry]): \($0.label)")
    }
    .filter { places.contains($0.0) }
    .map { (place: $0.0 - places.lowerBound, label: $0.1) }
  }

  /// The drawn places, numbered from 0, from which on another model answered for a slice.
  package func modelChanges(of key: SliceKey) -> Set<Int> {
    let own = entries.enumerated().compactMap { place, entry in
      entry.flatMap { $0.slice(key) == nil ? nil : (place, $0) }
    }
    return Set(
      zip(own, own.dropFirst()).compactMap { earlier, later in
        earlier.1.has(key, onModelOf: later.1) ? nil : later.0
      })
  }

  /// The rate that `share` returns for the entry at each drawn place, or `nil` where nothing was
  /// measured.
  package func values(_ share: (HistoryEntry) -> Share?) -> [Share?] {
    entries.map { entry in
      guard let entry, entry.isMeasured, let share = share(entry), share.count > 0 else {
        return nil
      }
      return share
    }
  }

  /// The pass rate of one slice, by drawn place.
  package func passing(_ key: SliceKey) -> [Share?] {
    values { $0.slice(key).flatMap { $0.isPart ? nil : $0.share } }
  }

  /// A rate of one slice other than the pass rate, by drawn place.
  package func measure(_ quantity: Quantity, _ key: SliceKey) -> [Share?] {
    values { entry in
      entry.slice(key).flatMap { $0.isPart ? nil : $0.share(of: quantity) }
    }
  }

  /// A cost of one slice at each drawn place, or `nil` where no positive number was measured.
  package func cost(_ cost: KeyPath<HistoryEntry.Slice, Double>, _ key: SliceKey) -> [Double?] {
    entries.map { entry in
      guard let entry, entry.isMeasured, let value = entry.slice(key)?[keyPath: cost],
        value.isFinite, value > 0
      else { return nil }
      return value
    }
  }

  /// The steady stretches of a slice.
  package func stretches(_ key: SliceKey) -> [Stretch] { stretchesOfKey[key] ?? [] }

  /// The number of nights for which a change counts as recent.
  package static let recentNights = 30

  /// The newest steady stretch of a slice if the rate fell when the stretch began and the fall
  /// isn't over, or `nil` otherwise.
  package func fall(of key: SliceKey) -> Stretch? {
    stretches(key).last.flatMap { $0.stretch.direction < 0 && !$0.stretch.isOver ? $0 : nil }
  }

  /// Splits the nights of a slice, counted over the test cases that all of them have.
  private static func stretches(
    _ key: SliceKey, in history: RunHistory, level: Double
  ) -> [Stretch] {
    let nights = CommonNights(key, in: history).nights
    return SteadyStretch.stretches(of: nights.map(\.share), level: level).map { stretch in
      (
        stretch, nights[stretch.range.lowerBound].index,
        nights[stretch.range.upperBound - 1].index
      )
    }
  }

  /// The name of a slice in the history.
  package func name(_ key: SliceKey) -> String { sliceNames.name(key) }
}
