/// The rule that combines the repeats of a test case into one score from 0 to 1.
public enum CaseReducer: Sendable, Hashable {
  /// 1 if every repeat passes, otherwise 0.
  case all
  /// The share of repeats that pass.
  case mean
  /// 1 if at least this many repeats pass, otherwise 0.
  case atLeast(Int)
  /// The chance that at least one of this many repeats passes: pass@k.
  case passAt(Int)
  /// The chance that all of this many repeats pass: pass^k.
  case passAll(Int)
}

extension CaseReducer: CustomStringConvertible {
  /// The reducer as suites write it: `all`, `mean`, `at least 2`, `pass@3`, `pass^3`.
  public var description: String {
    switch self {
    case .all: "all"
    case .mean: "mean"
    case .atLeast(let count): "at least \(count)"
    case .passAt(let count): "pass@\(count)"
    case .passAll(let count): "pass^\(count)"
    }
  }

  /// Creates a reducer from its text in a suite, or `nil` if the text is not a reducer.
  public init?(_ text: String) {
    func count(after prefix: String) -> Int? {
      guard text.hasPrefix(prefix), let count = Int(text.dropFirst(prefix.count)),
        (1...10_000).contains(count), text == prefix + String(count)
      else { return nil }
      return count
    }
    if text == "all" {
      self = .all
    } else if text == "mean" {
      self = .mean
    } else if let count = count(after: "at least ") {
      self = .atLeast(count)
    } else if let count = count(after: "pass@") {
      self = .passAt(count)
    } else if let count = count(after: "pass^") {
      self = .passAll(count)
    } else {
      return nil
    }
  }

  /// The minimum number of repeats for the reducer.
  public var neededRepeats: Int {
    switch self {
    case .all, .mean: 1
    case .atLeast(let count), .passAt(let count), .passAll(let count): count
    }
  }
}

extension CaseReducer: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let reducer = CaseReducer(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "`\(text)` is not a reducer")
    }
    self = reducer
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
