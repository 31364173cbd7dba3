/// The number of answers that were decoded together, over the course of a run.
///
/// The record divides the time into equal intervals. If there would be too many intervals, the
/// record joins them in pairs:
///
/// ```
/// answers    8 ┤██████
///            4 ┤██████▓▓▓▓▓▓
///              └─┴─┴─┴─┴─┴─┴─► seconds     each interval holds answers × seconds
/// ```
public struct BatchWidths: Sendable, Hashable, Codable {
  /// The maximum number of intervals.
  static let limit = 240

  /// The length of an interval in seconds.
  public private(set) var interval: Double
  /// The number of answers times the seconds for which they were decoded, for each interval.
  public private(set) var load: [Double]

  /// Creates an empty record.
  public init() {
    interval = 1.0 / 64
    load = []
  }

  /// Creates a record from a decoder; the record is empty if any value is out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let interval = try values.decode(Double.self, forKey: .interval)
    let load = try values.decode([Double].self, forKey: .load)
    self.init()
    guard (1.0 / 64...1e9).contains(interval), load.count <= Self.limit,
      load.allSatisfy({ (0...1e15).contains($0) })
    else { return }
    self.interval = interval
    self.load = load
  }

  /// The average number of answers in each interval.
  public var means: [Double] { load.map { $0 / interval } }

  /// The length of all intervals together, in seconds.
  public var duration: Double { Double(load.count) * interval }

  /// Adds a step of a batch.
  ///
  /// - Parameters:
  ///   - answers: The number of unfinished answers.
  ///   - start: The time at which the step began, in seconds since the run's models were loaded.
  ///   - end: The time at which the step ended.
  public mutating func add(answers: Int, from start: Double, to end: Double) {
    guard start >= 0, end > start, end.isFinite, answers > 0 else { return }
    while end > interval * Double(Self.limit) { halve() }
    let first = Int(start / interval)
    let last = min(Self.limit, Int((end / interval).rounded(.up))) - 1
    if load.count <= last { load += Array(repeating: 0, count: last + 1 - load.count) }
    for index in first...last {
      let overlap =
        min(end, Double(index + 1) * interval) - max(start, Double(index) * interval)
      load[index] += Double(answers) * max(0, overlap)
    }
  }

  /// Returns the combined widths of two workers that ran at the same time.
  public static func + (left: BatchWidths, right: BatchWidths) -> BatchWidths {
    left.sum(with: right, after: 0)
  }

  /// Returns the widths of two periods, the second of which began when the first ended.
  ///
  /// - Parameter next: The second period.
  public func followed(by next: BatchWidths) -> BatchWidths { sum(with: next, after: duration) }

  private func sum(with other: BatchWidths, after start: Double) -> BatchWidths {
    var sum = self
    while sum.interval < other.interval
      || start + other.duration > sum.interval * Double(Self.limit)
    {
      sum.halve()
    }
    for (index, load) in other.load.enumerated() {
      let place = min(
        Self.limit - 1, Int((start + (Double(index) + 0.5) * other.interval) / sum.interval))
      if sum.load.count <= place {
        sum.load += Array(repeating: 0, count: place + 1 - sum.load.count)
      }
      sum.load[place] += load
    }
    return sum
  }

  /// Joins the intervals in pairs.
  private mutating func halve() {
    load = stride(from: 0, to: load.count, by: 2).map {
      load[$0] + ($0 + 1 < load.count ? load[$0 + 1] : 0)
    }
    interval *= 2
  }
}
