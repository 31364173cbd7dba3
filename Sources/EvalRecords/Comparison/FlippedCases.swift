/// The test cases whose result flipped for certain, not by chance.
///
/// Either nothing is sampled on either side, or at least five separate draws of the test case
/// passed before and all draws fail now, or the reverse. This is a fact about exactly these test
/// cases, so it needs no test, and it says nothing about inputs like them.
public struct FlippedCases: Sendable, Hashable, Codable {
  /// The pair of slices.
  public var place: ComparedPlace
  /// The ids of the test cases that always passed before and always fail now.
  public var newlyFailing: [String]
  /// The ids of the test cases that always failed before and always pass now.
  public var newlyPassing: [String]
  /// The ids of the test cases that fail in attempts of the candidate that the comparison leaves
  /// out, although they pass in all others, or `nil` if there are none.
  ///
  /// Such attempts are fresh, or are repeats that the baseline lacks.
  public var failingOutside: [String]?
  /// The ids of further test cases that fail more often, beyond chance.
  ///
  /// Reports name them only if other test cases got better, because the two may cancel out in the
  /// rates of the suite. Otherwise, the property is `nil`, and so is ``oftenPassing``.
  public var oftenFailing: [String]?
  /// The ids of further test cases that pass more often, beyond chance.
  public var oftenPassing: [String]?
  /// The number of test cases with answers on both sides.
  public var count: Int

  /// Creates a record.
  public init(
    place: ComparedPlace, newlyFailing: [String], newlyPassing: [String],
    failingOutside: [String]? = nil,
    oftenFailing: [String]? = nil, oftenPassing: [String]? = nil, count: Int
  ) {
    self.place = place
    self.newlyFailing = newlyFailing
    self.newlyPassing = newlyPassing
    self.failingOutside = failingOutside
    self.oftenFailing = oftenFailing
    self.oftenPassing = oftenPassing
    self.count = count
  }

  /// The ids of the test cases that newly fail for certain, in compared attempts or in others.
  public var failing: [String] { newlyFailing + (failingOutside ?? []) }
}
