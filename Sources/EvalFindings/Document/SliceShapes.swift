import EvalRecords
import EvalStatistics
import StructuredText

/// The array lengths and chosen branches of one slice.
struct SliceShapes {
  package private(set) var lengths: [LengthSummary] = []
  package private(set) var confusions: [ConfusionSummary] = []
  /// The index of each attempt whose answer has the schema's first array, with that array's length.
  package private(set) var lengthOfAttempt: [(Int, Int32)] = []
  /// The index of each attempt with an expected branch, with the expected and the chosen branch:
  /// `unclear>craving`.
  ///
  /// The branches are those at the first path for which any test case expects a branch.
  private(set) var pairOfAttempt: [(Int, String)] = []

  private static let maximumBranches = 200

  init(slice: SliceSummary, attempts: [AttemptRecord]) {
    guard let variant = slice.variant, !slice.range.isEmpty else { return }
    let outline = SchemaDocument(schema: variant.schema)
    let expectedPaths = Self.expectedPaths(slice)
    guard !outline.arrays.isEmpty || !expectedPaths.isEmpty else { return }
    let classes = Self.inputClasses(slice)
    var bins = [[[Int]]](
      repeating: [[Int]](
        repeating: [Int](repeating: 0, count: LengthSummary.lastBin + 1),
        count: outline.arrays.count),
      count: max(1, classes.count))
    var lengthsOfCase = bins.map { $0.map { _ in [Share.CaseKey: [UInt8]]() } }
    var choices = expectedPaths.map { path in
      BranchCounter(
        path: path, schemaCases: outline.branch(at: JSONPlace.pattern(path))?.cases ?? [],
        limit: Self.maximumBranches)
    }
    for summary in slice.cases {
      let group = classes.firstIndex(of: summary.record?.tags.first ?? "") ?? 0
      let expected = expectedPaths.map { path in
        summary.record?.expectedBranches.first { $0.path == path }?.branch
      }
      for index in summary.range where attempts[index].outcome != .skipped {
        let attempt = attempts[index]
        let shape =
          attempt.failure == nil && attempt.stopReason == .complete ? attempt.details.shape : nil
        for (array, place) in outline.arrays.enumerated() {
          let lengths = shape?.lengths[place.path] ?? []
          for length in lengths {
            let bin = min(length, LengthSummary.lastBin)
            bins[group][array][bin] += 1
            lengthsOfCase[group][array][attempt.caseKey, default: []].append(UInt8(bin))
          }
          if array == 0, let first = lengths.first {
            lengthOfAttempt.append((index, Int32(clamping: first)))
          }
        }
        for (number, expected) in expected.enumerated() {
          // A backend error says nothing about the branch that the model would have chosen.
          guard let expected, !attempt.isBackendError else { continue }
          let got = shape?.branches[expectedPaths[number]]
          choices[number].add(attempt.caseKey, expected: expected, got: got)
          if number == 0 {
            let pair = "\(expected)>\(got ?? "–")"
            pairOfAttempt.append((index, ClippedText.line(pair, limit: 80)))
          }
        }
      }
    }
    for (array, place) in outline.arrays.enumerated() {
      let bound = Self.bound(of: place, slice: slice)
      for group in bins.indices {
        let counts = bins[group][array]
        guard counts.contains(where: { $0 > 0 }) else { continue }
        lengths.append(
          LengthSummary(
            slice: slice.key, sliceName: slice.name, path: place.path,
            inputClass: classes.isEmpty ? nil : classes[group], minimum: bound.minimum,
            maximum: bound.maximum, counts: counts,
            lengthsOfCase: lengthsOfCase[group][array]))
      }
    }
    confusions = choices.compactMap { $0.summary(slice) }
  }

  private static func expectedPaths(_ slice: SliceSummary) -> [String] {
    let all = slice.cases.flatMap { $0.record?.expectedBranches ?? [] }
    return Array(all.map(\.path).distinct.prefix(20))
  }

  /// The distinct first tags of the test cases.
  ///
  /// The array is empty unless every test case has a tag and there are two to four distinct first
  /// tags.
  private static func inputClasses(_ slice: SliceSummary) -> [String] {
    var classes: [String] = []
    for summary in slice.cases {
      guard let tag = summary.record?.tags.first else { return [] }
      if !classes.contains(tag) { classes.append(tag) }
      if classes.count > 4 { return [] }
    }
    return classes.count > 1 ? classes : []
  }

  private static func bound(
    of place: SchemaDocument.ArrayPlace, slice: SliceSummary
  ) -> (minimum: Int?, maximum: Int?) {
    let minimum = slice.suite?.arrayMinimums[place.path]
    let maximum = slice.suite?.details.arrayMaximums?[place.path]
    return minimum == nil && maximum == nil
      ? (place.minimum, place.maximum) : (minimum, maximum)
  }
}

/// Counts pairs of expected and chosen branches.
private struct BranchCounter {
  let path: String
  let limit: Int
  private var branches: [String]
  private var numbers: [String: Int]
  private var pairs: [SIMD2<Int32>: Int] = [:]
  private var choices: [Share.CaseKey: (row: Int, columns: [Int: Int])] = [:]

  init(path: String, schemaCases: [String], limit: Int) {
    self.path = path
    self.limit = limit
    branches = []
    numbers = [:]
    for name in schemaCases { _ = number(of: name) }
  }

  mutating func add(_ key: Share.CaseKey, expected: String, got: String?) {
    guard let row = number(of: expected) else { return }
    let column = got.flatMap { number(of: $0) } ?? -1
    pairs[SIMD2(Int32(row), Int32(column)), default: 0] += 1
    choices[key, default: (row, [:])].columns[column, default: 0] += 1
  }

  private mutating func number(of name: String) -> Int? {
    if let number = numbers[name] { return number }
    guard branches.count < limit else { return nil }
    numbers[name] = branches.count
    branches.append(name)
    return branches.count - 1
  }

  func summary(_ slice: SliceSummary) -> ConfusionSummary? {
    guard !pairs.isEmpty else { return nil }
    var counts = [[Int]](
      repeating: [Int](repeating: 0, count: branches.count + 1), count: branches.count)
    for (pair, count) in pairs {
      counts[Int(pair.x)][pair.y < 0 ? branches.count : Int(pair.y)] += count
    }
    // The column of attempts without a value follows those of all branches.
    let choices = choices.mapValues { choice in
      (
        choice.row,
        Dictionary(
          uniqueKeysWithValues: choice.columns.map { ($0 < 0 ? branches.count : $0, $1) })
      )
    }
    return ConfusionSummary(
      slice: slice.key, sliceName: slice.name, path: path, branches: branches, counts: counts,
      choices: choices)
  }
}
