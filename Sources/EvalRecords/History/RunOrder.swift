/// The order in which runs were made, whatever the clock said.
///
/// Within one database, a later run has a higher number. The clock may have been set back between
/// two runs, so the start of a run never counts as earlier than the start of the run before:
///
/// ```
/// run         1      2      3      4
/// clock       10:00  11:00  09:30  12:00     set back before run 3, and corrected before run 4
/// counts as   10:00  11:00  11:00  12:00
/// ```
///
/// Numbers begin again in a new database. If two runs are from different databases, their start
/// times decide.
package struct RunOrder {
  /// A run's number, and its start by the clock.
  package struct Moment: Hashable {
    package var run: Int
    /// The start as ISO 8601 in UTC, so that sorting the texts sorts the times.
    package var startedAt: String

    /// Creates a moment.
    package init(run: Int, startedAt: String) { (self.run, self.startedAt) = (run, startedAt) }

    /// The start time, without seconds.
    ///
    /// If two runs begin almost at the same time, the later one may get the lower number. So
    /// `RunOrder` ignores seconds when it decides whether a lower number means a new database.
    var minute: Substring { startedAt.prefix(16) }
  }

  /// The positions of the moments, in the order in which the runs were made.
  package let positions: [Int]

  /// Creates an order from the numbers and start times of runs.
  ///
  /// - Parameter moments: The runs in the order in which they were recorded, each once.
  package init(_ moments: [Moment]) {
    let databases = Self.databases(moments)
    var times = moments.map(\.startedAt)
    for database in databases {
      var latest = ""
      for position in database.sorted(by: { moments[$0].run < moments[$1].run }) {
        latest = max(latest, times[position])
        times[position] = latest
      }
    }
    var place = [Int](repeating: 0, count: moments.count)
    for (number, database) in databases.enumerated() {
      for position in database { place[position] = number }
    }
    positions = moments.indices.sorted { left, right in
      (times[left], place[left], moments[left].run)
        < (times[right], place[right], moments[right].run)
    }
  }

  /// The positions of the runs, grouped by database.
  ///
  /// A new database begins with a run whose number has already occurred. It also begins with a run
  /// that has a lower number than the run recorded before it but began later. A run with a lower
  /// number that didn't begin later is from the same database, and was only recorded late.
  private static func databases(_ moments: [Moment]) -> [[Int]] {
    var databases: [[Int]] = []
    var numbers: Set<Int> = []
    for (position, moment) in moments.enumerated() {
      let beginsAgain =
        position > 0 && moment.run < moments[position - 1].run
        && moment.minute > moments[position - 1].minute
      if databases.isEmpty || beginsAgain || numbers.contains(moment.run) {
        databases.append([])
        numbers = []
      }
      databases[databases.count - 1].append(position)
      numbers.insert(moment.run)
    }
    return databases
  }
}
