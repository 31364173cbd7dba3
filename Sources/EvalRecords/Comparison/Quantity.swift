/// A quantity that is compared between the baseline and the candidate.
///
/// A value of this type identifies a quantity: two effects concern the same quantity if and only if
/// their `Quantity` values are equal. Reports turn these values into words; no code parses the
/// words.
public enum Quantity: Sendable, Hashable {
  /// The share of attempts that pass.
  case passRate
  /// The share of attempts with an empty array at a path or, if measured, the probability of an
  /// empty array.
  case emptyArray(path: String)
  /// The share of attempts whose answer lacks an array at a path, because the array or a value
  /// around it is absent or null.
  case missingArray(path: String)
  /// The probability that an array at a path has fewer elements than a minimum.
  case shortArray(minimum: Int, path: String)
  /// The share of attempts with a wrong branch or, if measured, the probability of a wrong branch,
  /// over all branches.
  case wrongBranch(path: String)
  /// The share of attempts that miss one branch or, if measured, the probability of missing it;
  /// only the test cases that expect this branch count.
  case missedBranch(String, path: String)
  /// The share of attempts in which one assertion fails.
  case failedAssertion(name: String, path: String)
  /// The share of attempts that return a valid value, which only reports count.
  case validOutput
  /// The share of arrays at a path whose length is within its bounds, which only reports count.
  case arrayLength(path: String)

  /// The path in the output that the quantity is about, or `nil` for the pass rate.
  public var path: String? {
    switch self {
    case .passRate, .validOutput: nil
    case .arrayLength(let path), .emptyArray(let path), .missingArray(let path),
      .shortArray(_, let path), .wrongBranch(let path), .missedBranch(_, let path),
      .failedAssertion(_, let path):
      path
    }
  }
}

extension Quantity: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, path, minimum, branch, assertion
  }

  private enum Kind: String, Codable {
    case passRate, emptyArray, missingArray, shortArray, wrongBranch, missedBranch
    case failedAssertion, validOutput, arrayLength
  }

  /// Creates a quantity from a flat object, for example `{"kind":"emptyArray","path":"$.cards"}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String { try container.decode(String.self, forKey: key) }
    switch try container.decode(Kind.self, forKey: .kind) {
    case .passRate: self = .passRate
    case .validOutput: self = .validOutput
    case .arrayLength: self = .arrayLength(path: try text(.path))
    case .emptyArray: self = .emptyArray(path: try text(.path))
    case .missingArray: self = .missingArray(path: try text(.path))
    case .shortArray:
      self = .shortArray(
        minimum: try container.decode(Int.self, forKey: .minimum), path: try text(.path))
    case .wrongBranch: self = .wrongBranch(path: try text(.path))
    case .missedBranch: self = .missedBranch(try text(.branch), path: try text(.path))
    case .failedAssertion:
      self = .failedAssertion(name: try text(.assertion), path: try text(.path))
    }
  }

  /// Writes the quantity as one flat object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func kind(_ kind: Kind) throws { try container.encode(kind, forKey: .kind) }
    switch self {
    case .passRate: try kind(.passRate)
    case .validOutput: try kind(.validOutput)
    case .arrayLength: try kind(.arrayLength)
    case .emptyArray: try kind(.emptyArray)
    case .missingArray: try kind(.missingArray)
    case .shortArray(let minimum, _):
      try kind(.shortArray)
      try container.encode(minimum, forKey: .minimum)
    case .wrongBranch: try kind(.wrongBranch)
    case .missedBranch(let branch, _):
      try kind(.missedBranch)
      try container.encode(branch, forKey: .branch)
    case .failedAssertion(let name, _):
      try kind(.failedAssertion)
      try container.encode(name, forKey: .assertion)
    }
    try container.encodeIfPresent(path, forKey: .path)
  }
}

/// The way in which a quantity's value was found.
public enum Evidence: String, Sendable, Hashable, Codable, CaseIterable {
  /// Counted over attempts.
  case counted
  /// Measured as a probability at each decision and averaged over test cases.
  case measured
}

/// The attempts that a candidate is compared with.
public enum ComparisonReference: String, Sendable, Hashable, Codable, CaseIterable {
  /// The attempts of the baseline.
  case baseline
  /// The attempts of the baseline and of earlier runs with the same request.
  case pooledHistory
}
