import EvalRecords

/// The nights of a history on an axis: one place for each run, and an empty place for each night
/// on which nothing ran.
///
/// ```
/// night  Mon  Tue  Wed  Thu  Fri  Sat
/// run    185  186  187   ·   188  189     nothing ran on Thursday, so its place is empty
/// place   0    1    2    3    4    5
/// ```
package struct NightAxis: Sendable {
  /// A place on the axis: the index of an entry, or `nil` for a night on which nothing ran.
  package let places: [Int?]
  /// The place of each entry.
  let placeOfEntry: [Int]
  /// The name of each entry: the number of its run, or its day if the run numbers don't always
  /// increase.
  package let names: [String]
  /// Whether the names are run numbers.
  package let hasNumbers: Bool

  /// The maximum number of empty places in a row.
  private static let longestGap = 7

  init(_ entries: [HistoryEntry]) {
    let days = entries.map { Self.day(of: $0.startedAt) }
    let steps = zip(days.dropFirst(), days).compactMap { later, earlier in
      later.flatMap { later in earlier.map { later - $0 } }
    }.filter { $0 > 0 }.sorted()
    // Use the median number of days between runs as the step, so that a weekly job has no empty
    // places between its runs.
    let usual = steps.isEmpty ? 1 : max(1, steps[steps.count / 2])
    var places: [Int?] = []
    var placeOfEntry: [Int] = []
    for index in entries.indices {
      if index > 0, let later = days[index], let earlier = days[index - 1] {
        let missed = min((later - earlier) / usual - 1, Self.longestGap)
        if missed > 0 { places += [Int?](repeating: nil, count: missed) }
      }
      placeOfEntry.append(places.count)
      places.append(index)
    }
    self.places = places
    self.placeOfEntry = placeOfEntry
    hasNumbers = zip(entries.dropFirst(), entries).allSatisfy { $0.run > $1.run }
    let hasNumbers = hasNumbers
    names = entries.map { hasNumbers ? "\($0.run)" : Self.shortDate($0.startedAt) }
  }

  /// The word before an entry's name: `run` or `night`.
  package var unit: String { hasNumbers ? "run" : "night" }

  /// The number of days from 1 January 1970 to an ISO 8601 time, or `nil` if the text isn't an ISO
  /// 8601 time.
  ///
  /// The algorithm is Howard Hinnant's `days_from_civil`, for years 1 to 9999.
  package static func day(of time: String) -> Int? {
    let text = Array(time.utf8.prefix(10))
    guard text.count == 10, text[4] == 0x2D, text[7] == 0x2D else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in text[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      year > 0, (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The day of a time: `20 Nov`.
  ///
  /// If the text is not a time, the result is the beginning of the text, or `(no time)` if that
  /// beginning is blank.
  static func shortDate(_ time: String) -> String {
    guard day(of: time) != nil, let month = Int(time.dropFirst(5).prefix(2)),
      let day = Int(time.dropFirst(8).prefix(2))
    else {
      let text = ClippedText(VisibleText.line(time), limit: 16).text
      return text.allSatisfy(\.isWhitespace) ? "(no time)" : text
    }
    return "\(day) \(months[month - 1])"
  }

  /// The day of a time with its weekday: `Fri 20 Nov`.
  ///
  /// If the text is not a time, the result is the same as from `shortDate`.
  package static func date(_ time: String) -> String {
    guard let number = day(of: time) else { return shortDate(time) }
    // 1 January 1970 was a Thursday.
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((number % 7) + 7) % 7]
    return "\(weekday) \(shortDate(time))"
  }
}
