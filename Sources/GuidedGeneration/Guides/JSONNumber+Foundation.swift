import StructuredText
import SystemBasics

extension JSONNumber {
  /// Creates a number from a finite float, using the shortest text that reads back as the same
  /// float.
  ///
  /// Infinity and NaN become 0, because JSON has neither.
  init(_ value: Float) {
    guard value.isFinite else {
      self.init(0)
      return
    }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 24 {
      self.init(whole)
    } else {
      self.init(unchecked: "\(value)")
    }
  }

  /// Creates a number from a decimal, with all its digits.
  ///
  /// NaN becomes 0, because JSON has no NaN.
  init(_ value: Decimal) {
    self.init(unchecked: value.isNaN ? "0" : "\(value)")
  }
}
