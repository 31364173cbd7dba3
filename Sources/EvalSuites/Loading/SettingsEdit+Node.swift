import EvalRecords
import StructuredText

extension SettingsEdit {
  /// Creates an edit from an `options` node that has passed the format check.
  init(_ node: SourceNode) {
    self.init()
    for setting in GenerationSetting.allCases {
      self[setting] = node[setting.rawValue].flatMap { SettingValue($0, setting.row.kind) }
    }
  }
}

extension SettingValue {
  fileprivate init?(_ node: SourceNode, _ kind: SettingRow.Kind) {
    let value: SettingValue? =
      switch kind {
      case .flag(_, let on): node.text.map { .flag($0 == on) }
      case .integer: node.value.int.map { .integer($0) }
      case .number: node.value.double.map { .number($0) }
      case .words(let words):
        words.first { $0.word == node.text }.map { .text($0.stored) }
      }
    guard let value else { return nil }
    self = value
  }
}
