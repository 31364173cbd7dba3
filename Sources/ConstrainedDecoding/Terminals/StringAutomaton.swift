/// The automaton of a JSON string, including its quotes.
///
/// It doesn't limit the string's length.
///
/// ```
///            ┌── any character but " \ and controls, in valid UTF-8 ──┐
///            ▼                                                        │
/// start ─"─► body ─────────────────────────────────────────────────────┘
///            │  └─ \ ─► escape ─ n t " \ … ─► body,  escape ─u─► four digits ─► body
///            └──── " ─► end
/// ```
///
/// Each byte that the automaton reads in `body`, except the closing quote, begins a character, so
/// the string has as many characters as there are such bytes. A surrogate pair of escapes doesn't
/// return to `body` in between, so it counts as one character.
struct StringAutomaton: Sendable {
  typealias State = UInt8

  static let dead: State = 0
  static let start: State = 1
  static let body: State = 2
  static let end: State = 3
  /// The state after a backslash.
  static let escape: State = 4
  /// The states inside a multi-byte character.
  static let insideCharacter: ClosedRange<State> = 21...27
  /// The number of states, including `dead`; they fit in `stateBits` bits.
  static let stateCount = 28
  static let stateBits: UInt32 = 5

  /// `table[state * 256 + byte]` is the next state, or `dead` if there is none.
  let table: [State]
  /// The bytes that can follow in each state.
  let firstBytes: [ByteSet]

  /// Creates an automaton for a dialect.
  init(dialect: JSONDialect) {
    var builder = Builder()
    builder.addText(rawDelete: dialect.allowsRawDelete)
    builder.addShortEscapes(slash: dialect.allowsEscapedSlash)
    switch dialect.unicodeEscapes {
    case .none: break
    case .controlsOnly: builder.addControlEscapes(delete: !dialect.allowsRawDelete)
    case .any: builder.addAllEscapes()
    }
    let table = builder.table
    self.table = table
    firstBytes = (0..<Self.stateCount).map { state in
      var bytes = ByteSet()
      for byte in UInt8.min...UInt8.max where table[state << 8 | Int(byte)] != Self.dead {
        bytes.insert(byte)
      }
      return bytes
    }
  }

  /// Returns the state after a byte, or `dead` if the byte doesn't fit.
  func step(_ state: State, _ byte: UInt8) -> State { table[Int(state) << 8 | Int(byte)] }

  /// Returns the state after a byte, and narrows a range of bytes to those that lead to the same
  /// state.
  func step(_ state: State, _ byte: UInt8, within range: inout ByteRange) -> State {
    let row = Int(state) << 8
    let next = table[row | Int(byte)]
    var low = byte
    while low > range.low, table[row | Int(low - 1)] == next { low -= 1 }
    var high = byte
    while high < range.high, table[row | Int(high + 1)] == next { high += 1 }
    range = ByteRange(low: low, high: high)
    return next
  }

  private struct Builder {
    var table = [State](repeating: dead, count: stateCount << 8)

    private let hex1: State = 5
    private let hex2: State = 6
    private let hex3: State = 7
    private let hex4: State = 8
    private let lowControl: State = 9
    private let highControl: State = 10
    private let deleteControl: State = 11
    private let afterD: State = 12
    /// The rest of a surrogate pair: two digits, backslash, `u`, `d`, `c`–`f`, two digits.
    private let pair: [State] = [13, 14, 15, 16, 17, 18, 19, 20]
    private let tail1: State = 21
    private let tail2: State = 22
    private let tail3: State = 23
    private let afterE0: State = 24
    private let afterED: State = 25
    private let afterF0: State = 26
    private let afterF4: State = 27

    mutating func add(_ state: State, _ bytes: ClosedRange<UInt8>, _ target: State) {
      for byte in bytes { table[Int(state) << 8 | Int(byte)] = target }
    }

    mutating func add(_ state: State, _ characters: String, _ target: State) {
      for byte in characters.utf8 { add(state, byte...byte, target) }
    }

    mutating func addHex(_ state: State, _ target: State) {
      add(state, "0123456789abcdefABCDEF", target)
    }

    /// Adds unescaped text: well-formed UTF-8, as in table 3-7 of the Unicode standard.
    mutating func addText(rawDelete: Bool) {
      add(start, "\"", body)
      add(body, 0x20...(rawDelete ? 0x7F : 0x7E), body)
      add(body, "\"", end)
      add(body, "\\", escape)
      add(body, 0xC2...0xDF, tail1)
      add(body, 0xE0...0xE0, afterE0)
      add(body, 0xE1...0xEC, tail2)
      add(body, 0xED...0xED, afterED)
      add(body, 0xEE...0xEF, tail2)
      add(body, 0xF0...0xF0, afterF0)
      add(body, 0xF1...0xF3, tail3)
      add(body, 0xF4...0xF4, afterF4)
      add(tail1, 0x80...0xBF, body)
      add(tail2, 0x80...0xBF, tail1)
      add(tail3, 0x80...0xBF, tail2)
      add(afterE0, 0xA0...0xBF, tail1)
      add(afterED, 0x80...0x9F, tail1)
      add(afterF0, 0x90...0xBF, tail2)
      add(afterF4, 0x80...0x8F, tail2)
    }

    mutating func addShortEscapes(slash: Bool) {
      add(escape, "\"\\bfnrt", body)
      if slash { add(escape, "/", body) }
    }

    /// Adds `\u0000`–`\u001f`, except those with a short form; if `delete` is true, adds `\u007f`
    /// too.
    mutating func addControlEscapes(delete: Bool) {
      add(escape, "u", hex1)
      add(hex1, "0", hex2)
      add(hex2, "0", hex3)
      add(hex3, "0", lowControl)
      add(hex3, "1", highControl)
      add(lowControl, "01234567bBeEfF", body)
      addHex(highControl, body)
      if delete {
        add(hex3, "7", deleteControl)
        add(deleteControl, "fF", body)
      }
    }

    mutating func addAllEscapes() {
      add(escape, "u", hex1)
      addHex(hex1, hex2)
      add(hex1, "dD", afterD)
      addHex(hex2, hex3)
      addHex(hex3, hex4)
      addHex(hex4, body)
      add(afterD, "01234567", hex3)
      add(afterD, "89abAB", pair[0])
      addHex(pair[0], pair[1])
      addHex(pair[1], pair[2])
      add(pair[2], "\\", pair[3])
      add(pair[3], "u", pair[4])
      add(pair[4], "dD", pair[5])
      add(pair[5], "cdefCDEF", pair[6])
      addHex(pair[6], pair[7])
      addHex(pair[7], body)
    }
  }
}
