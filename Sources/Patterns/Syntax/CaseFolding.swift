/// Simple case folding, which relates scalars that differ only in case.
enum CaseFolding {
  /// Returns the set extended by every scalar that differs from one of its members only in case.
  static func closed(_ set: ScalarSet) -> ScalarSet {
    if let value = set.single { return ScalarSet((siblings[value] ?? [value]).map { $0...$0 }) }
    var added: [ClosedRange<UInt32>] = []
    for (value, siblings) in classes where set.contains(value) {
      added += siblings.map { $0...$0 }
    }
    return ScalarSet(set.ranges + added)
  }

  /// Every scalar that has case variants, each with a list of itself and its variants; sorted by
  /// scalar.
  private static let classes: [(UInt32, [UInt32])] = {
    var members: [UInt32: [UInt32]] = [:]
    // No scalar above plane 1 has case.
    for value: UInt32 in 0...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isCased else { continue }
      members[fold(scalar), default: []].append(value)
    }
    return members.values.filter { $0.count > 1 }
      .flatMap { siblings in siblings.map { ($0, siblings) } }
      .sorted { $0.0 < $1.0 }
  }()

  private static let siblings = Dictionary(uniqueKeysWithValues: classes)

  /// Returns the lowercase form of a scalar's uppercase form, ignoring forms that consist of
  /// several scalars.
  private static func fold(_ scalar: Unicode.Scalar) -> UInt32 {
    // The dotless i is its own class, although its uppercase form is I.
    if scalar.value == 0x131 { return scalar.value }
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return
      (single(upper.properties.lowercaseMapping) ?? single(scalar.properties.lowercaseMapping)
      ?? scalar).value
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}
