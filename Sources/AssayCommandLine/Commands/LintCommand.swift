import EvalRecords
import EvalSessions
import EvalSuites
import StructuredText
import SystemBasics

/// `assay lint`: checks the guides of suites and schema files.
struct LintCommand: Command {
  let specification = CommandSpecification(
    name: "lint", summary: "Checks the guides of suites and schema files.",
    positionals: "[PATH …]", positionalCount: 0...10_000,
    options: [Options.suite, Options.variant, Self.rule, Self.listsRules, Options.format],
    details: """
      PATH is a suite file, a folder with suites, a schema file, or the id of a suite in evals or of
      a suite that is compiled into this program (default: all of these suites). Each finding begins
      with its place, FILE:LINE:COLUMN. The exit status is 1 if there are findings. A suite silences
      rules with `lint: { silence: [noFormat, noOutBranch at Menu.soup] }`.
      """,
    examples: [
      .init("lint", "Checks the guides of all suites below evals."),
      .init("lint schema.json --rule noFormat", "Checks a schema file for one rule."),
    ])

  private static let rule = OptionKey<[String]>.list(
    "rule", "RULE", .command, "only this rule")
  private static let listsRules = OptionKey<Bool>.flag(
    "rules", .command, "list the rules and their reasons")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let isJSON = try arguments[Options.format] == .json
    if arguments.has(Self.listsRules) {
      context.console.output(isJSON ? Self.rulesAsJSON : Self.rules)
      return .passed
    }
    let rules = try Self.rules(arguments[Self.rule])
    var findings: [PlacedFinding] = []
    let paths = arguments.positionals
    let schemas = paths.filter(Self.isSchemaFile)
    for path in schemas {
      do {
        findings += try SuiteLoader(files: .disk).findings(inSchemaFile: path)
      } catch {
        throw SessionFailure(.usage, error.description)
      }
    }
    let others = paths.filter { !schemas.contains($0) }
    if !others.isEmpty || paths.isEmpty {
      let loaded = try context.evaluation.suites(at: others)
      context.console.warn(of: loaded)
      context.console.warn(ofPlaceholdersIn: loaded)
      for suite in try arguments.selected(from: loaded) {
        for variant in suite.variants {
          // Report a finding only once, even if several variants have it.
          findings += suite.placedFindings(variant: variant.id).filter { found in
            !findings.contains {
              $0.finding == found.finding && $0.file == found.file && $0.line == found.line
            }
          }
        }
        // Check silences against all variants, because a variant that isn't selected may need the
        // silence.
        let whole = loaded.first { $0.id == suite.id } ?? suite
        for silence in whole.needlessSilences {
          context.console.tell(
            warning: "\(suite.path): `\(silence)` is silenced, but the lint finds nothing there")
        }
      }
    }
    findings = findings.filter { rules.isEmpty || rules.contains($0.finding.rule) }
    if isJSON {
      context.console.output(JSONValue.array(findings.map(Self.json)).prettyText + "\n")
    } else {
      context.console.output(findings.map { "\($0)\n" }.joined() + Self.summary(findings) + "\n")
    }
    return findings.isEmpty ? .passed : .failed
  }

  /// Returns whether a path leads to a JSON file that is not a suite.
  private static func isSchemaFile(_ path: String) -> Bool {
    guard path.hasSuffix(".json"), let status = FileStatus(path: path), !status.isFolder,
      !SuiteLoader.fileNames.contains(URL(fileURLWithPath: path).lastPathComponent)
    else { return false }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let value = try? JSONValue(parsing: text)
    else { return true }
    return value["suite"] == .none
  }

  private static func rules(_ names: [String]) throws(UsageError) -> [LintRule] {
    let known = LintRule.allCases.map(\.rawValue)
    var rules: [LintRule] = []
    for name in names {
      guard let rule = LintRule(rawValue: name) else {
        throw UsageError(
          "--rule: there is no rule `\(name)`; "
            + NearestName.hint(for: name, among: known, what: "the rules are"))
      }
      rules.append(rule)
    }
    return rules
  }

  private static func summary(_ findings: [PlacedFinding]) -> String {
    guard !findings.isEmpty else { return "nothing found" }
    let files = Set(findings.map(\.file)).count
    return "\(findings.count.counted("finding")) in "
      + files.counted("file")
  }

  private static func json(_ placed: PlacedFinding) -> JSONValue {
    [
      "file": .string(placed.file), "line": .number(JSONNumber(placed.line)),
      "column": .number(JSONNumber(placed.column)), "suite": .string(placed.suite),
      "variant": .string(placed.variant), "place": .string(placed.finding.place),
      "rule": .string(placed.finding.rule.rawValue), "message": .string(placed.finding.message),
      "reason": .string(placed.finding.rule.reason),
    ]
  }

  private static var rules: String {
    LintRule.allCases.map { "\($0.rawValue)\n  \($0.summary).\n  \($0.reason).\n" }.joined()
  }

  private static var rulesAsJSON: String {
    JSONValue.array(
      LintRule.allCases.map {
        [
          "rule": .string($0.rawValue), "finds": .string($0.summary), "reason": .string($0.reason),
        ]
      }
    ).prettyText + "\n"
  }
}
