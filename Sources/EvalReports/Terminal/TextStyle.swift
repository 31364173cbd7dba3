import EvalFindings
import EvalRecords

/// Colors for a terminal, or none.
///
/// A word or a symbol always says the same as the color.
package struct TextStyle: Sendable {
  /// Whether the style adds control sequences.
  package var isOn: Bool

  /// Creates a style with colors if the output goes to a terminal.
  ///
  /// Environment variables override this rule: `NO_COLOR` turns colors off, and otherwise
  /// `CLICOLOR_FORCE` or `FORCE_COLOR` turns them on.
  package init(isTerminal: Bool, environment: [String: String]) {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    if isSet("NO_COLOR") {
      isOn = false
    } else if isSet("CLICOLOR_FORCE") || isSet("FORCE_COLOR") {
      isOn = true
    } else {
      isOn = isTerminal
    }
  }

  /// Creates a style with control sequences on or off.
  package init(isOn: Bool) { self.isOn = isOn }

  /// Returns the text in bold.
  package func bold(_ text: String) -> String { wrap(text, "1") }
  /// Returns the text in the color of something worse.
  package func worse(_ text: String) -> String { wrap(text, "31") }
  /// Returns the text in the color of something better.
  package func better(_ text: String) -> String { wrap(text, "34") }
  /// Returns the text in the color of something that passed.
  package func good(_ text: String) -> String { wrap(text, "32") }
  /// Returns the text in the style of secondary text.
  package func dim(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension ComparisonVerdict {
  /// Returns a function that gives a text the terminal color of the verdict.
  func paint(_ style: TextStyle) -> (String) -> String {
    switch self {
    case .regressed, .broken: style.worse
    case .improved: style.better
    default: { $0 }
    }
  }
}
