import StructuredText

/// The places of a suite's *fixed* decisions: white space aside, the schema fixes the text before
/// them.
///
/// The measured probability of a fixed decision is the same in every attempt at a test case. Any
/// other probability is one draw: it depends on the text that the attempt happened to write.
///
/// The places are computed from the schemas, once, when a run is planned, and stored with the run.
/// Runs of version 0.1 don't contain them; they are derived when such a run is compared.
public struct FixedDecisionPlaces: Sendable, Hashable, Codable {
  /// The places in their canonical spelling, keyed by variant.
  private var variants: [String: [String]]

  /// Creates the places of a suite's variants.
  ///
  /// - Parameter variants: The places, which may be patterns, keyed by variant.
  public init(_ variants: [String: [String]]) {
    self.variants = variants.mapValues { $0.map(JSONPlace.canonical).sorted() }
  }

  /// Creates the places from their stored form, an object with the places of each variant.
  public init(from decoder: any Decoder) throws {
    variants = try [String: [String]](from: decoder)
  }

  /// Writes an object with the places of each variant.
  public func encode(to encoder: any Encoder) throws { try variants.encode(to: encoder) }

  /// Returns whether all decisions at a place are fixed.
  ///
  /// - Parameters:
  ///   - path: The place, which may be a pattern, in any spelling.
  ///   - variant: The variant's id.
  func contains(_ path: String, in variant: String) -> Bool {
    let place = JSONPlace.beginning(of: path).place
    return variants[variant]?.contains { place.matches(JSONPlace.beginning(of: $0).place) } == true
  }
}

extension SuiteRecord {
  /// Returns whether all decisions at a place are fixed, white space aside, by the schema of a
  /// variant; `false` if the record doesn't say so.
  ///
  /// - Parameters:
  ///   - path: The place, which may be a pattern.
  ///   - variant: The variant's id.
  package func isFixed(_ path: String, in variant: String) -> Bool {
    details.fixedDecisions?.contains(path, in: variant) ?? false
  }
}
