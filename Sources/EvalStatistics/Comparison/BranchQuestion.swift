import EvalRecords

/// A question about the branches at a path: whether any expected one is missed, or a certain one.
///
/// A guide that loses one branch of four moves the share of wrong branches by a quarter of what it
/// does to that branch, and what the others gain hides it further. So every branch that enough cases
/// expect is asked for by itself as well.
struct BranchQuestion: Hashable {
  /// The path of the choice.
  var path: String
  /// The expected branch; nil if all are taken together.
  var branch: String?

  /// The fewest cases that a branch is asked for by itself with: n cases bring no p-value below 2⁻ⁿ,
  /// and eight reach 0.05 after an adjustment for a dozen tests.
  static let fewestCases = 8

  /// The questions of a suite, path by path: first all branches together, then single ones where the
  /// path has several.
  ///
  /// - Parameter expected: The expected branch by case and path.
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

  /// Whether a case's expected branches, by path, are asked for.
  func asks(_ expected: [String: String]) -> Bool {
    guard let found = expected[path] else { return false }
    return branch == nil || branch == found
  }

  /// The quantity that answers the question.
  var quantity: Quantity {
    branch.map { .missedBranch($0, path: path) } ?? .wrongBranch(path: path)
  }
}
