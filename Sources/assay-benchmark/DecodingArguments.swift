import ConstrainedDecoding

/// The arguments of the decoding benchmark and of `RandomWalks`.
struct DecodingArguments {
  static let usage =
    "--vocab FILE --suite FILE [--mode compact|spaced|pretty|any] [--repeats N] [--out PREFIX]"
    + " [--name NAME] [--only SCHEMA] [--dump FILE]"

  var vocabulary = ""
  var suite = ""
  /// The name of the white-space mode for answers.
  ///
  /// `compact` means no white space. The other names depend on the command:
  ///
  /// - In the decoding benchmark, `any` selects the grammar's mode of the same name. `spaced` and
  ///   `pretty` both allow unbounded white space.
  /// - In `RandomWalks`, `spaced` means one space. `pretty` and `any` both mean indented lines.
  var mode = "compact"
  var whitespace: WhitespaceMode {
    switch mode {
    case "compact": .compact
    case "any": .any
    default: .flexible
    }
  }
  var repeats = 3
  /// The prefix for the paths of the CSV files and the text file, or `nil` to write no files.
  var out: String?
  var name = "assay"
  /// The only schema to measure, or `nil` for all schemas.
  var only: String?
  /// The file for the distinct masks, or `nil` to write no masks.
  var dump: String?

  init(_ arguments: [String]) throws {
    let usage = BenchmarkError.usage("assay-benchmark decoding " + Self.usage)
    guard arguments.count.isMultiple(of: 2) else { throw usage }
    for index in stride(from: 0, to: arguments.count, by: 2) {
      let value = arguments[index + 1]
      switch arguments[index] {
      case "--vocab": vocabulary = value
      case "--suite": suite = value
      case "--mode": mode = value
      case "--repeats": repeats = max(1, Int(value) ?? 3)
      case "--out": out = value
      case "--name": name = value
      case "--only": only = value
      case "--dump": dump = value
      default: throw usage
      }
    }
    guard !vocabulary.isEmpty, !suite.isEmpty,
      ["compact", "spaced", "pretty", "any"].contains(mode)
    else { throw usage }
  }
}
