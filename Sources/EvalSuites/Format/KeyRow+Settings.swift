import EvalRecords

extension KeyRow {
  /// Creates the row of a setting in a suite's options.
  init(_ setting: GenerationSetting) {
    let row = setting.row
    self.init(
      setting.rawValue, KeyKind(row.kind), row.summary, fallback: Self.fallback(of: row))
  }

  /// The default of a setting: a number, or a word in backticks.
  private static func fallback(of row: SettingRow) -> String {
    switch row.usual {
    case .number(let number) where number == number.rounded(): "\(Int(number))"
    case .number, .integer: row.word(for: row.usual)
    default: "`\(row.word(for: row.usual))`"
    }
  }
}

extension KeyKind {
  fileprivate init(_ kind: SettingRow.Kind) {
    self =
      switch kind {
      case .flag(let off, let on): .choice([off, on])
      case .integer(let range): .integer(minimum: range.lowerBound, maximum: range.upperBound)
      case .number(let range): .number(minimum: range.lowerBound, maximum: range.upperBound)
      case .words(let words): .choice(words.map(\.word))
      }
  }
}
