/// The digits of a non-negative decimal number, before and after the point.
struct DecimalDigits {
  /// Digits before the point without leading zeros; empty for zero.
  var whole: [UInt8] = []
  /// Digits after the point without trailing zeros.
  var fraction: [UInt8] = []

  var isZero: Bool { whole.isEmpty && fraction.isEmpty }

  /// Parses a decimal number, which may have an exponent.
  ///
  /// - Returns: The magnitude and whether there is a minus sign, or nil if the text is not a
  ///   number, has more than `limit` digits, or has an exponent above `limit` or below -`limit`.
  static func parse(_ text: String, limit: Int) -> (magnitude: DecimalDigits, isNegative: Bool)? {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix { $0.isDigit }
    rest = rest.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { $0.isDigit }
      if fraction.isEmpty { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    var exponent = 0
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      let digits = String(decoding: rest.dropFirst(), as: UTF8.self)
      guard let value = Int(digits), (-limit...limit).contains(value) else { return nil }
      exponent = value
      rest = []
    }
    guard rest.isEmpty, !whole.isEmpty, whole.count + fraction.count <= limit else { return nil }
    var digits = (whole + fraction).map { $0 - UInt8(ascii: "0") }
    var point = whole.count + exponent
    if point < 0 {
      digits.insert(contentsOf: repeatElement(0, count: -point), at: 0)
      point = 0
    }
    while digits.count < point { digits.append(0) }
    var result = DecimalDigits(
      whole: Array(digits[..<point].drop { $0 == 0 }), fraction: Array(digits[point...]))
    while result.fraction.last == 0 { result.fraction.removeLast() }
    return (result, isNegative)
  }

  static func < (left: DecimalDigits, right: DecimalDigits) -> Bool {
    if left.whole.count != right.whole.count { return left.whole.count < right.whole.count }
    if left.whole != right.whole { return left.whole.lexicographicallyPrecedes(right.whole) }
    return left.fraction.lexicographicallyPrecedes(right.fraction)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

/// Builds the automaton that accepts exactly the numbers between two bounds, digit by digit.
///
/// In the integer part, a state tracks how many digits there are so far, and how they compare with
/// the same number of leading digits of each bound. At the end of the integer part, its length
/// decides whether the number is less or greater than a bound; if the lengths are equal, the
/// comparison of the digits decides. After the point, the comparison continues only with bounds to
/// which the number is equal so far.
///
/// ```
/// 5...48:   start ─ 1‥3 ─► "one digit, < 4" ─ 0‥9 ─► accepted
///                 ─ 4   ─► "one digit, = 4" ─ 0‥8 ─► accepted      (4 alone is below 5)
///                 ─ 5‥9 ─► accepted, nothing may follow
/// ```
///
/// Bounded numbers have no exponent, and an integer has no point.
struct DecimalRangeBuilder {
  private enum Order: Hashable { case less, equal, greater }

  private enum Key: Hashable {
    case whole(digits: Int, lower: Order, upper: Order)
    case zero
    case fraction(digits: Int, first: Bool, equalsLower: Bool, equalsUpper: Bool)
  }

  private let lower: DecimalDigits
  private let upper: DecimalDigits?
  private let excludesLower: Bool
  private let allowsFraction: Bool
  private var draft: ByteAutomatonDraft
  private var numbers: [Key: Int] = [:]
  private var open: [Key] = []

  private init(
    lower: DecimalDigits, upper: DecimalDigits?, excludesLower: Bool, allowsFraction: Bool,
    draft: ByteAutomatonDraft
  ) {
    self.lower = lower
    self.upper = upper
    self.excludesLower = excludesLower
    self.allowsFraction = allowsFraction
    self.draft = draft
  }

  /// Returns the automaton of the numbers between two bounds.
  ///
  /// - Parameters:
  ///   - minimum: The smallest number, or nil if there is no lower bound.
  ///   - maximum: The largest number, or nil if there is no upper bound.
  ///   - allowsFraction: Whether there may be digits after a point.
  ///   - allowsNegativeZero: Whether zero may have a minus sign.
  static func automaton(
    minimum: (magnitude: DecimalDigits, isNegative: Bool)?,
    maximum: (magnitude: DecimalDigits, isNegative: Bool)?, allowsFraction: Bool,
    allowsNegativeZero: Bool
  ) -> ByteAutomatonDraft {
    var draft = ByteAutomatonDraft()
    draft.start = draft.addState()
    let start = draft.start
    let minimumIsNegative = minimum.map { $0.isNegative && !$0.magnitude.isZero } ?? true
    let maximumIsNegative = maximum.map { $0.isNegative && !$0.magnitude.isZero } ?? false
    if !maximumIsNegative {
      let lower = minimumIsNegative ? DecimalDigits() : minimum?.magnitude ?? DecimalDigits()
      var builder = DecimalRangeBuilder(
        lower: lower, upper: maximum?.magnitude, excludesLower: false,
        allowsFraction: allowsFraction, draft: draft)
      draft = builder.build(from: start)
    }
    if minimumIsNegative {
      let minus = draft.addState()
      draft.addEdge(start, UInt8(ascii: "-"), UInt8(ascii: "-"), minus)
      let lower = maximumIsNegative ? maximum?.magnitude ?? DecimalDigits() : DecimalDigits()
      var builder = DecimalRangeBuilder(
        lower: lower, upper: minimum?.magnitude,
        excludesLower: !maximumIsNegative && !allowsNegativeZero,
        allowsFraction: allowsFraction, draft: draft)
      draft = builder.build(from: minus)
    }
    return draft
  }

  private mutating func build(from start: Int) -> ByteAutomatonDraft {
    addDigits(of: .whole(digits: 0, lower: .equal, upper: .equal), at: start)
    while let key = open.popLast() {
      guard let state = numbers[key] else { continue }
      switch key {
      case .whole(let digits, let low, let high):
        addDigits(of: key, at: state)
        let sides = settled(digits: digits, lower: low, upper: high)
        finishWhole(state, lower: sides.lower, upper: sides.upper)
      case .zero:
        let isLower: Order = lower.whole.isEmpty ? .equal : .less
        let isUpper: Order = upper?.whole.isEmpty ?? false ? .equal : .less
        finishWhole(state, lower: isLower, upper: isUpper)
      case .fraction:
        addDigits(of: key, at: state)
      }
    }
    return draft
  }

  private mutating func state(_ key: Key) -> Int {
    if let known = numbers[key] { return known }
    let number = draft.addState(accepting: accepts(key))
    numbers[key] = number
    open.append(key)
    return number
  }

  private func accepts(_ key: Key) -> Bool {
    switch key {
    case .whole(let digits, let low, let high):
      let sides = settled(digits: digits, lower: low, upper: high)
      return acceptsWhole(lower: sides.lower, upper: sides.upper)
    case .zero:
      return acceptsWhole(
        lower: lower.whole.isEmpty ? .equal : .less,
        upper: upper?.whole.isEmpty ?? false ? .equal : .less)
    case .fraction(let digits, let first, let equalsLower, _):
      if first { return false }
      return !equalsLower || (digits >= lower.fraction.count && !excludesLower)
    }
  }

  private func acceptsWhole(lower low: Order, upper high: Order) -> Bool {
    let aboveLower = low == .greater || (low == .equal && lower.fraction.isEmpty && !excludesLower)
    return aboveLower && high != .greater
  }

  /// Compares a complete integer part with the integer parts of the bounds.
  private func settled(
    digits: Int, lower low: Order, upper high: Order
  ) -> (
    lower: Order, upper: Order
  ) {
    func compare(_ order: Order, _ bound: Int) -> Order {
      digits == bound ? order : digits < bound ? .less : .greater
    }
    let side = upper.map { compare(high, $0.whole.count) } ?? .less
    return (compare(low, lower.whole.count), side)
  }

  private mutating func finishWhole(_ state: Int, lower low: Order, upper high: Order) {
    guard allowsFraction, low != .less, high != .greater else { return }
    let key = Key.fraction(
      digits: 0, first: true, equalsLower: low == .equal, equalsUpper: high == .equal)
    draft.addEdge(state, UInt8(ascii: "."), UInt8(ascii: "."), self.state(key))
  }

  private mutating func addDigits(of key: Key, at state: Int) {
    for digit in UInt8(0)...9 {
      guard let next = successor(of: key, digit) else { continue }
      let byte = UInt8(ascii: "0") + digit
      draft.addEdge(state, byte, byte, self.state(next))
    }
  }

  private func successor(of key: Key, _ digit: UInt8) -> Key? {
    switch key {
    case .zero: return nil
    case .whole(let digits, let low, let high):
      if digits == 0, digit == 0 { return .zero }
      let longest = max(lower.whole.count, upper?.whole.count ?? 0)
      if let upper, digits >= upper.whole.count { return nil }
      func extend(_ order: Order, _ bound: [UInt8]) -> Order {
        guard order == .equal, digits < bound.count else { return order }
        return digit == bound[digits] ? .equal : digit < bound[digits] ? .less : .greater
      }
      return .whole(
        digits: min(digits + 1, longest + 1), lower: extend(low, lower.whole),
        upper: extend(high, upper?.whole ?? []))
    case .fraction(let digits, _, let equalsLower, let equalsUpper):
      let low = digits < lower.fraction.count ? lower.fraction[digits] : 0
      let upperFraction = upper?.fraction ?? []
      let high = digits < upperFraction.count ? upperFraction[digits] : 0
      if equalsLower, digit < low { return nil }
      if equalsUpper, digit > high { return nil }
      return .fraction(
        digits: min(digits + 1, max(lower.fraction.count, upperFraction.count)), first: false,
        equalsLower: equalsLower && digit == low, equalsUpper: equalsUpper && digit == high)
    }
  }

  /// Returns the automaton of all JSON numbers, including exponents.
  ///
  /// - Parameter allowsNegativeZero: Whether zero may have a minus sign.
  static func anyNumber(allowsNegativeZero: Bool) -> ByteAutomatonDraft {
    var draft = automaton(
      minimum: nil, maximum: nil, allowsFraction: true, allowsNegativeZero: allowsNegativeZero)
    let digits = draft.addState(accepting: true)
    let sign = draft.addState()
    let letter = draft.addState()
    draft.addEdge(digits, UInt8(ascii: "0"), UInt8(ascii: "9"), digits)
    draft.addEdge(sign, UInt8(ascii: "0"), UInt8(ascii: "9"), digits)
    draft.addEdge(letter, UInt8(ascii: "0"), UInt8(ascii: "9"), digits)
    draft.addEdge(letter, UInt8(ascii: "+"), UInt8(ascii: "+"), sign)
    draft.addEdge(letter, UInt8(ascii: "-"), UInt8(ascii: "-"), sign)
    for state in draft.edges.indices where draft.accepting[state] && state != digits {
      draft.addEdge(state, UInt8(ascii: "e"), UInt8(ascii: "e"), letter)
      draft.addEdge(state, UInt8(ascii: "E"), UInt8(ascii: "E"), letter)
    }
    return draft
  }
}
