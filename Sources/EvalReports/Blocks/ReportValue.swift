import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText

/// A value of a report's table, with the texts by which each report shows it.
enum ReportValue {
  /// Nothing is known.
  case unknown
  case text(String)
  case count(Int)
  /// A counted share: `92.5 % 370/400`.
  case share(Share)
  /// The interval of a share: `89.2–94.5`.
  case interval(Share)
  /// A side of a comparison.
  case estimate(EstimateRecord)
  /// A change in percentage points, with its interval if it is shown: `+23.7 [+4.0, +38.1]`.
  case change(Double, low: Double?, high: Double?)
  /// A change in percent, with its interval.
  case ratio(RatioChange)
  case p(Double?)
  /// A verdict, with words of its own if it has any.
  case verdict(ComparisonVerdict, words: String? = nil)
  case seconds(Double?)
  /// A number with the text that shows it.
  case number(Double, String)

  /// A probability or another share of which no counts are known: `95.3 %`.
  static func percent(_ value: Double?) -> ReportValue {
    value.map { .number($0, NumberText.percent($0)) } ?? .unknown
  }

  /// A number with fixed decimals.
  static func fixed(_ value: Double, _ decimals: Int) -> ReportValue {
    .number(value, NumberText.fixed(value, decimals))
  }

  /// The value on one line, without any markup.
  func text(on medium: ReportTable.Medium) -> String {
    switch self {
    case .unknown: "–"
    case .text(let text): text
    case .count(let count): NumberText.grouped(count)
    case .share(let share):
      switch medium {
      case .page: "\(share.percent) \(share.ratio)"
      case .markdown: "\(share.counts) (\(share.percent))"
      case .terminal: "\(share.percent) (\(share.ratio))"
      }
    case .interval(let share): share.interval
    case .estimate(let estimate): estimate.text(on: medium)
    case .change(let change, let low, let high):
      if let low, let high {
        "\(NumberText.points(change)) [\(NumberText.points(low)), \(NumberText.points(high))]"
      } else {
        NumberText.points(change)
      }
    case .ratio(let change):
      "\(NumberText.signed(change.value * 100, 1)) [\(NumberText.signed(change.low * 100, 1)), "
        + "\(NumberText.signed(change.high * 100, 1))]"
    case .p(let p): NumberText.pValue(p)
    case .verdict(let verdict, let words): words ?? verdict.words
    case .seconds(let seconds): seconds.map { NumberText.duration($0) } ?? "–"
    case .number(_, let text): text
    }
  }

  /// The value by which readers of the page sort a column, or `nil` if it is the text.
  var sortKey: String? {
    switch self {
    case .count(let count): "\(count)"
    case .share(let share): NumberText.plain(share.count == 0 ? -1 : share.value, 6)
    case .change(let change, _, _): NumberText.plain(change, 6)
    case .p(let p): NumberText.plain(p ?? 2, 6)
    case .seconds(let seconds): NumberText.plain(seconds ?? 0, 6)
    case .number(let value, _): NumberText.plain(value, 6)
    default: nil
    }
  }

  /// The value in the page's facts, with all its digits.
  var json: JSONValue {
    func number(_ value: Double?) -> JSONValue {
      guard let value, value.isFinite else { return .null }
      return .number(JSONNumber(value))
    }
    func percent(_ value: Double?) -> JSONValue { number(value.map { $0 * 100 }) }
    switch self {
    case .unknown: return .null
    case .text(let text): return .string(VisibleText.line(text))
    case .count(let count): return .number(JSONNumber(count))
    case .share(let share):
      return [
        "hits": .number(JSONNumber(share.hits)), "count": .number(JSONNumber(share.count)),
        "low": number(share.low), "high": number(share.high),
      ]
    case .interval(let share):
      return share.count == 0 ? .null : ["low": number(share.low), "high": number(share.high)]
    case .estimate(let estimate):
      return [
        "value": number(estimate.value),
        "hits": estimate.hits.map { .number(JSONNumber($0)) } ?? .null,
        "count": .number(JSONNumber(estimate.count)), "low": number(estimate.low),
        "high": number(estimate.high),
      ]
    case .change(let change, let low, let high):
      return ["points": percent(change), "low": percent(low), "high": percent(high)]
    case .ratio(let change):
      return [
        "percent": percent(change.value), "low": percent(change.low), "high": percent(change.high),
      ]
    case .p(let p): return ["p": number(p)]
    case .verdict(let verdict, _): return ["verdict": .string(verdict.rawValue)]
    case .seconds(let seconds): return ["seconds": number(seconds)]
    case .number(let value, _): return number(value)
    }
  }
}

extension EstimateRecord {
  /// The estimate with its counts.
  fileprivate func text(on medium: ReportTable.Medium) -> String {
    guard let hits else { return "\(percent) (\(NumberText.count(count, "case")))" }
    return medium == .markdown ? basis : "\(percent) (\(hits)/\(count))"
  }
}
