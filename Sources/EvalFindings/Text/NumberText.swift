/// Writes numbers as reports show them: with the same digits on every machine and in every locale.
package enum NumberText {
  /// A number with fixed decimals, rounded half away from zero, with U+2212 as the minus sign.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded(.toNearestOrAwayFromZero))
    let sign = value < 0 && scaled != 0 ? "−" : ""
    guard decimals > 0 else { return sign + String(scaled) }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// A number with fixed decimals and a hyphen as the minus sign, for machines and SVG.
  package static func plain(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    guard text != "–" else { return "0" }
    return text.hasPrefix("−") ? "-" + text.dropFirst() : text
  }

  /// A coordinate with at most one decimal.
  package static func coordinate(_ value: Double) -> String {
    let text = plain(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A whole number with commas between groups of three digits.
  package static func grouped(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "−" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A share as `95.3 %`, with a non-breaking space, or `–` if the number isn't a share.
  package static func percent(_ value: Double, decimals: Int = 1) -> String {
    // Sums of probabilities may exceed 1 by a rounding error.
    guard value > -1e-6, value < 1 + 1e-6 else { return "–" }
    return fixed(value * 100, decimals) + "\u{A0}%"
  }

  /// A counted share as `95.3 %`.
  ///
  /// `100.0 %` always means all, and `0.0 %` always means none. Other shares that would round to
  /// these are `> 99.9 %` and `< 0.1 %`.
  package static func rate(_ hits: Int, of count: Int) -> String {
    guard count > 0, (0...count).contains(hits) else { return "–" }
    let share = Double(hits) / Double(count)
    if hits < count, share >= 0.9995 { return "> 99.9\u{A0}%" }
    if hits > 0, share < 0.0005 { return "< 0.1\u{A0}%" }
    return percent(share)
  }

  /// An interval of shares in percent, without the percent sign: `89.2–94.5`.
  package static func interval(_ low: Double, _ high: Double) -> String {
    "\(shortPercent(low))–\(shortPercent(high))"
  }

  private static func shortPercent(_ value: Double) -> String {
    let text = fixed(value * 100, 1)
    return text == "100.0" ? "100" : text == "0.0" ? "0" : text
  }

  /// A difference of shares in percentage points, always signed: `−7.5`, `+0.5`, `±0.0`.
  package static func points(_ value: Double) -> String { signed(value * 100, 1) }

  /// A number that always carries its sign.
  package static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    if text == "–" || text.hasPrefix("−") { return text }
    return (text.contains { $0 != "0" && $0 != "." } ? "+" : "±") + text
  }

  /// The p-value with its name: `p = 0.012`, or `p < 0.001`.
  static func namedPValue(_ value: Double) -> String {
    let text = pValue(value)
    return "p \(text.hasPrefix("<") ? text : "= " + text)"
  }

  /// A p-value with three decimals below 0.1 and otherwise two, or `< 0.001` or `1` at the
  /// extremes.
  package static func pValue(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    if value < 0.001 { return "< 0.001" }
    return value >= 0.9995 ? "1" : fixed(value, value < 0.1 ? 3 : 2)
  }

  /// A duration given in seconds: `107 ms`, `2.1 s`, `11 min 04 s`.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
    // The stub takes no time. Write that as `0 ms`, not as `0.0 ms`.
    if seconds < 0.000_05 { return "0\u{A0}ms" }
    if seconds < 0.0095 { return fixed(seconds * 1000, 1) + "\u{A0}ms" }
    if seconds < 1 { return fixed(seconds * 1000, 0) + "\u{A0}ms" }
    if seconds < 60 { return fixed(seconds, 1) + "\u{A0}s" }
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(grouped(whole / 60))\u{A0}min \(rest < 10 ? "0" : "")\(rest)\u{A0}s"
  }

  /// A count with its noun: `1 case`, `1,220 attempts`.
  package static func count(_ value: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(value))\u{A0}\(value == 1 ? noun : plural ?? noun + "s")"
  }
}
