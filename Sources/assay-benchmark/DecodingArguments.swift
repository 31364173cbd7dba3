import ConstrainedDecoding

/// The arguments of the decoding benchmark.
struct DecodingArguments {
  static let usage =
    "--vocab FILE --suite FILE [--mode compact|spaced|pretty|any] [--repeats N] [--out PREFIX]"
    + " [--name NAME] [--only SCHEMA] [--dump FILE]"

  var vocabulary = ""
  var suite = ""
  /// The white space in answers.
  ///
  /// `compact` allows no white space. In the decoding benchmark, `any` is the grammar's mode of
  /// that name, and `spaced` and `pretty` both allow unbounded white space. `RandomWalks` writes
  /// one space for `spaced`, and indented lines for `pretty` and `any`.
  var mode = "compact"
  var whitespace: WhitespaceMode {
    switch mode {
    case "compact": .compact
    case "any": .any
    default: .flexible
    }
  }
  var repeats = 3
  /// The prefix of the paths of the CSV files and the text file; nil to write no files.
  var out: String?
  var name = "assay"
  /// The only schema to measure; nil for all.
  var only: String?
  /// The file for the distinct masks; nil to write none.
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
