import Dispatch
import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText
import Synchronization

/// The attempts of a run as JSON Lines, for scripts: one object for the run, then one for each
/// attempt in the run's order.
///
/// ```
/// {"kind":"run","id":214,…}
/// {"kind":"attempt","suite":"flashcards",…,"outcome":"fail","verdicts":[…]}
/// ```
///
/// Scripts can recompute the rates in reports from these lines. Rendered prompts, decision
/// probabilities and traces are only in the result database and in the output of `assay export`.
public enum ResultLines {
  /// Renders a document.
  ///
  /// - Parameter document: The document to write.
  /// - Returns: Lines of JSON, each ending in a line feed.
  public static func render(_ document: ReportDocument) -> String {
    var lines = [UInt8]()
    JSONWriter.append(run(document), to: &lines)
    lines.append(0x0A)
    let attempts = document.summary.attempts
    // Write the lines in parts, in parallel, and then join the parts in order.
    let size = 4_096
    let count = (attempts.count + size - 1) / size
    let parts = Mutex([[UInt8]](repeating: [], count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      var part: [UInt8] = []
      for attempt in attempts[index * size..<min(attempts.count, (index + 1) * size)] {
        JSONWriter.append(line(attempt, run: document.run.id), to: &part)
        part.append(0x0A)
      }
      parts.withLock { $0[index] = part }
    }
    for part in parts.withLock({ $0 }) { lines += part }
    return String(decoding: lines, as: UTF8.self)
  }

  /// The suites of a document with their counts, rates, gates and metrics, for `--format json`: one
  /// object for each combination of suite, variant and backend.
  package static func suites(of document: ReportDocument) -> JSONValue {
    .array(document.summary.slices.map { slice($0, document.summary.metrics(of: $0)) })
  }

  private static func run(_ document: ReportDocument) -> JSONValue {
    let run = document.run
    let tally = document.summary.tally
    return [
      "kind": "run", "id": number(run.id), "label": .string(run.label),
      "startedAt": .string(run.startedAt),
      "finishedAt": run.finishedAt.map { .string($0) } ?? .null,
      "status": .string(run.status.rawValue), "toolVersion": .string(run.toolVersion),
      "commit": run.commit.map { .string($0) } ?? .null,
      "backends": .array(
        run.backends.map { backend in
          [
            "id": .string(backend.id), "model": .string(backend.model),
            "sha256": backend.modelDigest.map { .string($0) } ?? .null,
            "parameters": backend.parameterCount.map { number($0) } ?? .null,
            "toy": .bool(backend.isToy), "engine": .string(backend.engine),
          ]
        }), "attempts": number(tally.attempts), "passed": number(tally.passed),
      "failed": number(tally.failed), "errors": number(tally.errors),
      "skipped": number(tally.skipped),
      "selection": .array((run.details.selection ?? []).map { .string($0) }),
      "branch": run.details.branch.map { .string($0) } ?? .null,
      "headline": .string(document.headline.text),
      "suites": .array(run.suites.map(suite)),
    ]
  }

  /// A suite as it ran: its variants, and its test cases with their inputs and expectations.
  private static func suite(_ suite: SuiteRecord) -> JSONValue {
    [
      "id": .string(suite.id), "title": .string(suite.title), "guards": .string(suite.guards),
      "file": .string(suite.file), "type": .string(suite.schemaName),
      "repeats": number(suite.repeats), "seed": .string(String(suite.seed)),
      "maximumTokens": number(
        suite.distinctSettings.map(\.maximumTokens).max() ?? suite.options.maximumTokens),
      "variants": .array(
        suite.variants.map {
          [
            "id": .string($0.id), "title": .string($0.title), "schema": .string($0.schema),
            "instructions": $0.instructions.map { .string($0) } ?? .null,
            "prompt": .string($0.promptTemplate),
          ]
        }),
      "cases": .array(
        suite.cases.map { record in
          [
            "id": .string(record.id), "title": .string(record.title),
            "tags": .array(record.tags.map { .string($0) }), "input": record.variables,
            "expected": .object(
              JSONObject(
                record.expectedBranches.map { (key: $0.path, value: .string($0.branch)) })),
          ]
        }),
    ]
  }

  private static func slice(_ slice: SliceSummary, _ metrics: [MetricSummary]) -> JSONValue {
    let share = slice.share
    var gate = JSONValue.null
    if let result = slice.gate {
      gate = [
        "passed": .bool(result.isPassed), "needed": number(result.neededRate),
        "guardrails": .array(
          result.guardrailHits.map {
            ["assertion": .string($0.assertion), "failed": number($0.count)]
          }), "score": result.score.map { number($0) } ?? .null,
        "misses": .array(result.misses.map { .string($0.words) }),
      ]
    }
    return [
      "suite": .string(slice.key.suite), "variant": .string(slice.key.variant),
      "backend": .string(slice.key.backend), "cases": number(slice.cases.count),
      "attempts": number(share.count), "passed": number(share.hits),
      "errors": number(slice.tally.errors), "rate": number(share.value),
      "low": number(share.low), "high": number(share.high),
      "secondsP50": slice.duration.known.map { number($0.p50) } ?? .null,
      "secondsP95": slice.duration.known.map { number($0.p95) } ?? .null,
      "gate": gate,
      "metrics": .array(
        metrics.map {
          [
            "name": .string($0.record.name), "attempts": number($0.values.count),
            "mean": $0.derived.map { number($0) }
              ?? ($0.values.count > 0 ? number($0.mean) : .null),
            "p5": number($0.values.p5), "p50": number($0.values.p50),
            "p95": number($0.values.p95), "unit": $0.record.unit.map { .string($0) } ?? .null,
          ]
        }),
    ]
  }

  private static func line(_ attempt: AttemptRecord, run: Int) -> JSONValue {
    let measures = attempt.measures
    return [
      "kind": "attempt", "run": number(run), "suite": .string(attempt.key.suite),
      "variant": .string(attempt.key.variant), "backend": .string(attempt.key.backend),
      "case": .string(attempt.key.caseID), "repeat": number(attempt.key.repeatIndex),
      // A JSON reader that has only doubles would round a 64-bit seed, so write it as a string.
      "seed": .string(String(attempt.seed)), "outcome": .string(attempt.outcome.rawValue),
      "stop": .string(attempt.stopReason.rawValue),
      "failure": attempt.failure.map {
        ["kind": .string($0.kind.rawValue), "message": .string($0.message)]
      } ?? .null, "promptTokens": measures.promptTokens.map(number) ?? .null,
      "outputTokens": measures.outputTokens.map(number) ?? .null,
      "forcedTokens": number(attempt.forcedTokens),
      "seconds": measures.seconds.map(number) ?? .null,
      "output": .string(attempt.output),
      "metrics": .object(
        JSONObject(
          (attempt.details.metrics ?? [:]).sorted { $0.key < $1.key }
            .map { (key: $0.key, value: number($0.value)) })),
      "score": attempt.details.score.map { number($0) } ?? .null,
      "verdicts": .array(
        attempt.verdicts.map {
          [
            "assertion": .string($0.assertion), "type": .string($0.type),
            "path": .string($0.path), "verdict": .string($0.verdict.rawValue),
            "expected": .string($0.expected), "actual": .string($0.actual),
          ]
        }),
    ]
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  private static func number(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }
}
