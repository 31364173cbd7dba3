import StructuredText

/// Turns words into parts of a command that a reader may copy into a shell.
package enum ShellText {
  private static let plainSigns = "/._-+:@%,#"

  /// Quotes a text if necessary, so that a shell reads it as one unchanged word.
  ///
  /// - Parameter word: Any text, such as a path or the id of a suite.
  package static func word(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && !word.hasPrefix("#")
      && word.allSatisfy { character in
        character.isASCII
          && (character.isLetter || character.isNumber || plainSigns.contains(character))
      }
    return isPlain ? word : "'" + word.replacingScalars("'", with: "'\\''") + "'"
  }
}
