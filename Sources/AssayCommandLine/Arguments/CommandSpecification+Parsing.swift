import EvalSuites
import StructuredText

extension CommandSpecification {
  /// Parses the words after the command's name.
  ///
  /// `--name value` and `--name=value` are equivalent. Single-letter options can't be combined into
  /// one word. Everything after `--` is positional.
  ///
  /// - Parameter words: The words.
  /// - Returns: The parsed arguments.
  /// - Throws: `UsageError` if an option is unknown, if its value is missing, unexpected or not
  ///   allowed, if an option that isn't repeatable has two values, or if there are too few or too
  ///   many positional arguments. For an unknown option, the error suggests the most similar name.
  func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        parsed.positionals += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        parsed.positionals.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try option(named: String(parts[0]))
      guard let placeholder = option.value else {
        if parts.count > 1 { throw UsageError("--\(option.name) takes no value") }
        parsed.values[option.name] = []
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)")
      }
      if value.isEmpty, ["FILE", "FOLDER", "PATH"].contains(placeholder) {
        throw UsageError("--\(option.name): the value is empty; give a \(placeholder.lowercased())")
      }
      if let allowed = option.allowed, !allowed.contains(value) {
        throw UsageError(
          "--\(option.name) can't be \(value); the allowed values are "
            + allowed.joined(separator: ", "))
      }
      if parsed.values[option.name] != nil, !option.isRepeatable {
        throw UsageError("--\(option.name) is given twice; it can be given only once")
      }
      parsed.values[option.name, default: []].append(value)
    }
    // `--help` works without the positional arguments.
    guard parsed.has(Options.help) || positionalCount.contains(parsed.positionals.count) else {
      let expected = positionals.isEmpty ? "no arguments" : positionals
      throw UsageError(
        "`assay \(name)` takes \(expected), but got \(parsed.positionals.count)")
    }
    return parsed
  }

  private func option(named word: String) throws(UsageError) -> OptionSpecification {
    for option in allOptions {
      if word == "--\(option.name)" { return option }
      if let letter = option.letter, word == "-\(letter)" { return option }
    }
    if let renamed = RenamedNames.hint(forOption: word, of: name) { throw UsageError(renamed) }
    let hint = UsageError.hint(
      for: word, among: allOptions.map { "--\($0.name)" },
      otherwise: "`assay help \(name)` lists its options")
    throw UsageError("`assay \(name)` has no option \(word); \(hint)")
  }
}

extension UsageError {
  /// Returns "did you mean x?" if a valid name is similar, or `otherwise` if none is.
  static func hint(for word: String, among names: [String], otherwise: String) -> String {
    NearestName.nearest(to: word, among: names).map { "did you mean \($0)?" } ?? otherwise
  }
}
