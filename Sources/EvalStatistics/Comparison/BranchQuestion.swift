import EvalRecords

/// A question about the branches at one path: how often attempts miss the expected branch, either
/// over all branches or for one particular branch.
///
/// If an edit spoils only one of four branches, the overall share of wrong branches rises by only a
/// quarter of that branch's rise, and improvements on the other branches can hide even that small
/// rise. So each branch that enough test cases expect is also examined separately.
struct BranchQuestion: Hashable {
  /// The path of the enum or union.
  var path: String
  /// The expected branch, or `nil` for all branches pooled.
  var branch: String?

  /// The minimum number of test cases for examining a branch separately.
  ///
  /// With n test cases, no p-value of the sign-flip test is below 2⁻ⁿ. With eight, a p-value can be
  /// below 0.05 even after an adjustment for a dozen tests.
  static let fewestCases = 8

  /// Returns the questions for a suite, path by path: first all branches pooled and then, if the
  /// path has several branches, each branch that enough test cases expect.
  ///
  /// - Parameter expected: The expected branches, keyed by test case and path.
  static func questions(_ expected: [String: [String: String]]) -> [BranchQuestion] {
    var counts: [String: [String: Int]] = [:]
    for (path, branch) in expected.values.flatMap(\.self) {
      counts[path, default: [:]][branch, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.flatMap { path, branches in
      let single =
        branches.count < 2 ? [] : branches.filter { $0.value >= fewestCases }.keys.sorted()
      return [BranchQuestion(path: path, branch: nil)]
        + single.map { BranchQuestion(path: path, branch: $0) }
    }
  }

  /// Returns whether the question applies to a test case with these expected branches, keyed by
  /// path.
  func asks(_ expected: [String: String]) -> Bool {
    guard let found = expected[path] else { return false }
    return branch == nil || branch == found
  }

  /// The quantity that answers the question.
  var quantity: Quantity {
    branch.map { .missedBranch($0, path: path) } ?? .wrongBranch(path: path)
  }
}
