import Foundation

/// Commands that measure and probe Assay's engine, for its developers.
///
/// - `assay-benchmark decoding --vocab … --suite …`
/// - `assay-benchmark walks --vocab … --suite …`
/// - `assay-benchmark dead-ends < SCHEMAS`
/// - `assay-benchmark model --model …`
/// - `assay-benchmark logits --model …`
/// - `assay-benchmark tokenize --model …`
/// - `assay-benchmark schemas PATH…`
/// - `assay-benchmark reports`
/// - `assay-benchmark draws FILE…`
/// - `assay-benchmark alarms`
@main
struct AssayBenchmark {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let subcommand = arguments.isEmpty ? "" : arguments.removeFirst()
    do {
      switch subcommand {
      case "decoding": try DecodingBenchmark(DecodingArguments(arguments)).run()
      case "walks": try RandomWalks(arguments).run()
      case "dead-ends": try DeadEnds(arguments).run()
      case "model": try await ModelBenchmark(arguments).run()
      case "logits": try ModelProbes.logits(arguments)
      case "tokenize": try ModelProbes.tokenize(arguments)
      case "schemas": try SchemaSurvey(arguments).run()
      case "reports": try ReportsBenchmark(arguments).run()
      case "draws": try DrawsBenchmark(arguments).run()
      case "alarms": try AlarmTable(arguments).run()
      default:
        throw BenchmarkError.usage(
          """
          assay-benchmark decoding \(DecodingArguments.usage)
                 assay-benchmark walks \(RandomWalks.usage)
                 assay-benchmark \(DeadEnds.usage)
                 assay-benchmark model \(ModelBenchmark.usage)
                 assay-benchmark logits \(ModelProbes.logitsUsage)
                 assay-benchmark tokenize \(ModelProbes.tokenizeUsage)
                 assay-benchmark \(SchemaSurvey.usage)
                 assay-benchmark \(ReportsBenchmark.usage)
                 assay-benchmark \(DrawsBenchmark.usage)
                 assay-benchmark \(AlarmTable.usage)
          """)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(error is BenchmarkError ? 4 : 3)
    }
  }
}

/// A problem with the command line or a file.
enum BenchmarkError: Error, CustomStringConvertible {
  case usage(String)
  case malformed(file: String, offset: Int, expected: String)

  var description: String {
    switch self {
    case .usage(let text): "usage: \(text)"
    case .malformed(let file, let offset, let expected):
      "\(file): byte \(offset): expected \(expected)"
    }
  }
}
