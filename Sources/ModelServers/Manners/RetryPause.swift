public import HTTPTransport
import StructuredText
import SystemBasics

/// The rule for how long to wait before a retry.
public struct RetryPause: Sendable, Hashable {
  /// The maximum number of retries.
  public var limit: Int
  /// The maximum pause before the first retry.
  ///
  /// This maximum doubles with each further retry.
  public var first: Duration
  /// The maximum pause, unless the server asks for a longer pause.
  public var longest: Duration
  /// The maximum pause that a server may ask for.
  ///
  /// If the server asks for a longer pause, the attempt fails, and the backend stops sending
  /// requests.
  public var longestAsked: Duration

  /// Creates a rule.
  public init(
    limit: Int = 5, first: Duration = .seconds(1), longest: Duration = .seconds(60),
    longestAsked: Duration = .seconds(120)
  ) {
    self.limit = max(0, limit)
    self.first = first
    self.longest = longest
    self.longestAsked = longestAsked
  }

  /// Returns the pause before the next retry.
  ///
  /// - Parameters:
  ///   - tries: The number of failed tries, at least one.
  ///   - asked: The pause that the server asks for, or `nil` if it doesn't ask for one.
  ///   - jitter: A number from 0 to 1 that spreads the retries of clients that failed at the same
  ///     time.
  /// - Returns: The pause. It is `nil` if there are no retries left, or if the server asks for a
  ///   pause longer than `longestAsked`.
  public func pause(after tries: Int, asked: Duration?, jitter: Double) -> Duration? {
    guard tries <= limit else { return nil }
    let spread = min(1, max(0, jitter))
    if let asked {
      guard asked <= longestAsked else { return nil }
      // Wait at least as long as the server asks, plus some jitter.
      return max(.zero, asked) + first * (spread / 4)
    }
    var pause = first
    for _ in 1..<max(1, tries) where pause < longest { pause *= 2 }
    return min(pause, longest) * (0.5 + spread / 2)
  }

  /// Returns a number from 0 to 1 that depends only on an attempt's seed and the number of tries.
  public static func jitter(seed: UInt64, tries: Int) -> Double {
    let digest = SHA256.hexDigest(of: "\(seed):\(tries)")
    return Double(UInt32(digest.prefix(8), radix: 16) ?? 0) / Double(UInt32.max)
  }

  /// Returns the pause that a server asks for in a `retry-after-ms` or `retry-after` header or in
  /// the body, or `nil` if it asks for none.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - now: The current time in seconds since 1970. If `retry-after` is a date, the pause is
  ///     counted from the response's `date` header or, without that header, from `now`.
  public static func asked(by response: HTTPResponse, now: Double) -> Duration? {
    if let text = response.header("retry-after-ms"), let number = Double(text), number >= 0 {
      return .milliseconds(min(number, 1e9))
    }
    if let text = response.header("retry-after") {
      if let number = Double(text) { return number >= 0 ? .seconds(min(number, 1e6)) : nil }
      guard let date = Self.seconds(ofDate: text, now: now) else { return nil }
      let clock = response.header("date").flatMap { Self.seconds(ofDate: $0, now: now) } ?? now
      return .seconds(min(1e6, max(0, date - clock)))
    }
    return Self.delayInBody(response.body)
  }

  /// Returns the pause in Google's `RetryInfo`, for example `"retryDelay": "34s"`.
  private static func delayInBody(_ body: [UInt8]) -> Duration? {
    guard body.count < 64 << 10,
      let value = try? JSONValue(parsing: String(decoding: body, as: UTF8.self)),
      let details = value["error"]?["details"]?.array,
      let delay = details.compactMap({ $0["retryDelay"]?.string }).first, delay.hasSuffix("s"),
      let number = Double(delay.dropLast()), number >= 0
    else { return nil }
    return .seconds(min(number, 1e6))
  }

  /// Returns the seconds since 1970 of a date in one of the three forms of RFC 9110 (5.6.7).
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT       the usual form
  ///     Sunday, 06-Nov-94 08:49:37 GMT      RFC 850
  ///     Sun Nov  6 08:49:37 1994            C's `asctime`
  ///
  /// - Parameters:
  ///   - text: The date.
  ///   - now: The current time in seconds since 1970. A year of two digits that would be more than
  ///     50 years later is in the past.
  static func seconds(ofDate text: String, now: Double) -> Double? {
    let isDashed = text.contains("-")
    var parts = text.split { $0 == " " || isDashed && $0 == "-" }.map(String.init)
    if parts.count == 5 {
      parts = [parts[0], parts[2], parts[1], parts[4], parts[3], "GMT"]
    }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
      let month = months.firstIndex(of: parts[2]), var year = Int(parts[3])
    else { return nil }
    if isDashed, parts[3].utf8.count == 2 {
      let thisYear = 1970 + Int(max(0, min(now, 1e11)) / 31_556_952)
      year += thisYear / 100 * 100
      if year > thisYear + 50 { year -= 100 }
    }
    let time = parts[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (1...31).contains(day), (1970...9999).contains(year) else { return nil }
    var date = DateComponents()
    (date.year, date.month, date.day) = (year, month + 1, day)
    (date.hour, date.minute, date.second) = (time[0], time[1], time[2])
    date.timeZone = TimeZone(secondsFromGMT: 0)
    return Calendar(identifier: .gregorian).date(from: date)?.timeIntervalSince1970
  }
}
