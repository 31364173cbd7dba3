import Foundation
import StructuredText

extension JSONNumber {
  /// Creates a number of a finite float, in the shortest text that reads back as the same float.
  init(_ value: Float) {
    guard value.isFinite else {
      self.init(0)
      return
    }
    if let whole = Int(exactly: value), abs(whole) < 1 << 24 {
      self.init(whole)
    } else {
      self.init(unchecked: "\(value)")
    }
  }

  /// Creates a number of a decimal, digit by digit; JSON has no NaN: that becomes 0.
  init(_ value: Decimal) {
    self.init(unchecked: value.isNaN ? "0" : "\(value)")
  }
}
