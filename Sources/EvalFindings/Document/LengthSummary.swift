import EvalRecords
import EvalStatistics

/// The lengths of the arrays at one path in one slice, for one class of test cases.
package struct LengthSummary: Sendable {
  package let slice: SliceKey
  package let sliceName: String
  package let path: String
  /// The first tag of the test cases, or `nil` if all test cases are counted together.
  package let inputClass: String?
  /// The smallest expected length, from the `count` assertion or, if no assertion bounds the array,
  /// from the schema.
  package let minimum: Int?
  /// The largest expected length, from the same source as the smallest.
  package let maximum: Int?
  /// The number of arrays of each length.
  ///
  /// The last entry also counts all longer arrays.
  package let counts: [Int]
  /// The lengths at each test case, limited like `counts`.
  package let lengthsOfCase: [Share.CaseKey: [UInt8]]

  /// The length at and above which arrays are counted together.
  package static let lastBin = 63

  /// The number of arrays.
  package var total: Int { counts.reduce(0, +) }

  /// The number of empty arrays.
  package var empty: Int { counts.first ?? 0 }

  /// Returns the number of arrays with one of the given lengths.
  package func count(in lengths: some Sequence<Int>) -> Int {
    lengths.reduce(0) { $0 + (counts.indices.contains($1) ? counts[$1] : 0) }
  }

  /// Returns the number of arrays at each test case whose length fulfils a condition.
  package func hits(_ isHit: (Int) -> Bool) -> [Share.CaseKey: Int] {
    lengthsOfCase.mapValues { $0.count { isHit(Int($0)) } }
  }

  /// Returns the share of arrays whose length fulfils a condition.
  package static func share(of group: [LengthSummary], _ isHit: (Int) -> Bool) -> Share {
    var cases: [Share.CaseKey: CaseCount] = [:]
    for lengths in group {
      for (key, lengths) in lengths.lengthsOfCase {
        let count = CaseCount(hits: lengths.count { isHit(Int($0)) }, count: lengths.count)
        cases[key, default: CaseCount()] = cases[key, default: CaseCount()] + count
      }
    }
    return Share(cases)
  }

  /// The lengths at the first path, for all input classes together, or `nil` if there are none.
  package static func pooled(_ lengths: [LengthSummary]) -> LengthSummary? {
    guard let first = lengths.first else { return nil }
    var counts = [Int](repeating: 0, count: first.counts.count)
    var lengthsOfCase: [Share.CaseKey: [UInt8]] = [:]
    for lengths in lengths where lengths.path == first.path {
      lengthsOfCase.merge(lengths.lengthsOfCase, uniquingKeysWith: +)
      for (length, count) in lengths.counts.enumerated() where counts.indices.contains(length) {
        counts[length] += count
      }
    }
    return LengthSummary(
      slice: first.slice, sliceName: first.sliceName, path: first.path, inputClass: nil,
      minimum: first.minimum, maximum: first.maximum,
      counts: counts, lengthsOfCase: lengthsOfCase)
  }

  /// Whether a length is within the bound, or `true` if there is no bound.
  package func isWithin(_ length: Int) -> Bool {
    length >= minimum ?? 0 && length <= maximum ?? Int.max
  }

  /// Whether any bound is known.
  package var isBounded: Bool { minimum != nil || maximum != nil }

  /// The bound as `3…8`, `3 or more`, `up to 8`.
  package var boundText: String {
    switch (minimum, maximum) {
    case (let low?, let high?): low == high ? "\(low)" : "\(low)…\(high)"
    case (let low?, nil): "\(low) or more"
    case (nil, let high?): "up to \(high)"
    case (nil, nil): ""
    }
  }
}

/// The expected and the chosen branches at one path in one slice.
package struct ConfusionSummary: Sendable {
  package let slice: SliceKey
  package let sliceName: String
  package let path: String
  /// The branches in the schema's order, followed by any others that were expected or chosen.
  ///
  /// `counts` has a row and a column for each branch.
  package let branches: [String]
  /// The number of attempts for each expected and chosen branch.
  ///
  /// The last column counts attempts without a value.
  package let counts: [[Int]]
  /// The chosen branches at each test case, as columns of `counts`, with the row of the expected
  /// branch.
  package let choices: [Share.CaseKey: (row: Int, columns: [Int: Int])]

  /// The index of the fallback case, recognized by its name, or `nil` if there is none.
  package var outBranch: Int? {
    let names: Set<String> = [
      "unclear", "other", "none", "unknown", "unsure", "notApplicable", "offTopic", "outOfScope",
      "undecided", "invalid", "neither", "unspecified",
    ]
    return branches.firstIndex { names.contains($0) }
  }

  /// The number of attempts whose test case expects a branch.
  package var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// The number of attempts that chose a wrong branch, not counting attempts without a value.
  package var wrong: Int {
    counts.enumerated().reduce(0) { sum, row in
      sum
        + row.element.enumerated().filter { $0.offset != row.offset && $0.offset < counts.count }
        .reduce(0) { $0 + $1.element }
    }
  }

  /// The share of attempts that chose a wrong branch.
  var wrongShare: Share {
    share { row, columns in
      CaseCount(
        hits: columns.filter { $0.key != row && $0.key < branches.count }.values.reduce(0, +),
        count: columns.values.reduce(0, +))
    }
  }

  /// The recall of a branch: of the attempts that should have chosen it, the share that did.
  ///
  /// An attempt without a value counts as if it chose another branch.
  package func recall(_ branch: Int) -> Share {
    share { row, columns in
      row == branch
        ? CaseCount(hits: columns[branch] ?? 0, count: columns.values.reduce(0, +)) : CaseCount()
    }
  }

  /// The precision of a branch: of the attempts that chose it, the share that should have.
  package func precision(_ branch: Int) -> Share {
    share { row, columns in
      let chosen = columns[branch] ?? 0
      return CaseCount(hits: row == branch ? chosen : 0, count: chosen)
    }
  }

  private func share(_ count: (_ row: Int, _ columns: [Int: Int]) -> CaseCount) -> Share {
    Share(choices.mapValues { count($0.row, $0.columns) })
  }
}
