/// The scalars of each Unicode general category, according to this toolchain's Unicode tables.
enum GeneralCategories {
  /// Returns the scalars of a category (`Lu`) or a group of categories (`L`), or nil if the name is
  /// unknown.
  static func scalars(in name: String) -> ScalarSet? {
    if let known = groups[name] { return known }
    let parts = runs.keys.filter { $0.hasPrefix(name) }
    guard name.count == 1, !parts.isEmpty else { return nil }
    return ScalarSet(parts.flatMap { groups[$0]?.ranges ?? [] })
  }

  /// The known names, for error messages.
  static let names =
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po "
    + "S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn"

  private static let groups = runs.mapValues { ScalarSet($0) }

  /// The ranges of each category, computed in one pass over all scalars.
  private static let runs: [String: [ClosedRange<UInt32>]] = {
    var runs: [String: [ClosedRange<UInt32>]] = [:]
    var start: UInt32 = 0
    var current = "Cc"
    for value in 1...ScalarSet.last {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let name = abbreviation(of: scalar.properties.generalCategory)
      if name != current {
        runs[current, default: []].append(start...value - 1)
        (start, current) = (value, name)
      }
    }
    runs[current, default: []].append(start...ScalarSet.last)
    return runs
  }()

  private static func abbreviation(of category: Unicode.GeneralCategory) -> String {
    switch category {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
