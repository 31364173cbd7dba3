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
  /// The number of test cases with answers on both sides.
  public var count: Int

  /// Creates a record.
  public init(
    place: ComparedPlace, newlyFailing: [String], newlyPassing: [String], count: Int
  ) {
    self.place = place
    self.newlyFailing = newlyFailing
    self.newlyPassing = newlyPassing
    self.count = count
  }
}
