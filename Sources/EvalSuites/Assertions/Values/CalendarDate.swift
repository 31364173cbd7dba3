/// Validates dates in ISO 8601 format: `2026-03-12` or, with a time, `2026-03-12T09:30:00Z`.
package enum CalendarDate {
  /// The required form.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// A date without a time.
    case date
    /// A date with a time and a time zone (`Z` or `+01:00`); seconds are optional.
    case dateTime
  }

  /// Returns whether a text is a date of the proleptic Gregorian calendar in the given form.
  package static func isValid(_ text: String, form: Form) -> Bool {
    let bytes = Array(text.utf8)
    switch form {
    case .date: return bytes.count == 10 && isDate(bytes[...])
    case .dateTime:
      guard bytes.count > 11, bytes.count <= 40, bytes[10] == UInt8(ascii: "T"),
        isDate(bytes[..<10])
      else { return false }
      return isTime(bytes[11...])
    }
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(bytes)
    let dash = UInt8(ascii: "-")
    guard bytes.count == 10, bytes[4] == dash, bytes[7] == dash,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Returns whether bytes are `hh:mm`, `hh:mm:ss` or `hh:mm:ss.f` (with a fraction of one to nine
  /// digits), followed by `Z` or `±hh:mm`.
  private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    if rest.last == UInt8(ascii: "Z") {
      rest = rest.dropLast()
    } else {
      let zone = Array(rest.suffix(6))
      guard zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
        isClock(zone[1...])
      else { return false }
      rest = rest.dropLast(6)
    }
    guard rest.count >= 5, isClock(rest.prefix(5)) else { return false }
    rest = rest.dropFirst(5)
    if rest.isEmpty { return true }
    guard rest.count >= 3, rest.first == UInt8(ascii: ":"),
      let second = number(rest.dropFirst().prefix(2)), second < 60
    else { return false }
    rest = rest.dropFirst(3)
    if rest.isEmpty { return true }
    guard rest.first == UInt8(ascii: "."), rest.count > 1 else { return false }
    return number(rest.dropFirst().prefix(9)) != nil && rest.count <= 10
  }

  private static func isClock(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 5, bytes[bytes.startIndex + 2] == UInt8(ascii: ":"),
      let hour = number(bytes.prefix(2)), let minute = number(bytes.suffix(2))
    else { return false }
    return hour < 24 && minute < 60
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count < 10 else { return nil }
    var value = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
