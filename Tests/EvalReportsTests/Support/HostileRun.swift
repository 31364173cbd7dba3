import EvalRecords
import StructuredText

/// A run in which most texts are hostile, and many numbers are out of range.
enum HostileRun {
  static func texts(_ number: Int) -> String { HostileTexts.all[number % HostileTexts.all.count] }

  static var record: RunRecord {
    var number = 0
    func text() -> String {
      number += 1
      return texts(number)
    }
    return RunRecord(
      id: -1, label: text(), startedAt: text(), finishedAt: text(), status: .complete,
      toolVersion: text(), commit: text(),
      backends: [
        BackendRecord(
          id: texts(0), model: text(), modelDigest: text(), parameterCount: .max, isToy: true,
          engine: text(), isDeterministic: false)
      ],
      suites: (0..<4).map { suite in
        SuiteRecord(
          id: texts(suite), title: text(), guards: text(), file: text(), schemaName: text(),
          tags: [text()],
          variants: [
            VariantRecord(
              id: texts(1), title: text(),
              schema: SyntheticRun.cardSchema(texts(suite)), instructions: text(),
              promptTemplate: text(), edits: [text()])
          ],
          cases: HostileTexts.all.indices.map { index in
            CaseRecord(
              id: texts(index), title: text(), tags: [text()], variables: .string(text()),
              expectedBranches: [ExpectedBranch(path: "$", branch: texts(index))],
              assertions: [text()])
          },
          repeats: 2, seed: .max, options: GenerationSettings(), gate: GateRecord())
      })
  }

  static var attempts: [AttemptRecord] {
    record.suites.flatMap { suite in
      suite.cases.enumerated().flatMap { position, testCase in
        (0..<2).map { index in
          let text = texts(position)
          let other = texts(position + 7)
          return AttemptRecord(
            key: AttemptKey(
              suite: suite.id, variant: texts(1), backend: texts(0), caseID: testCase.id,
              repeatIndex: index),
            seed: .max, outcome: [.fail, .error, .pass, .skipped][(position + index) % 4],
            stopReason: .complete,
            failure: position % 3 == 0 ? AttemptFailure(kind: .backend, message: text) : nil,
            renderedPrompt: text, output: position % 2 == 0 ? text : JSONWriter.quoted(text),
            promptTokens: .min, outputTokens: .max, forcedTokens: -1, duration: .nan,
            constraintPressure: .infinity,
            verdicts: [
              VerdictRecord(
                assertion: text, type: other, path: text, verdict: .fail, expected: other,
                actual: text),
              VerdictRecord(
                assertion: other, type: "count", path: "$.cards", verdict: .vacuous,
                expected: text, actual: other),
            ],
            decisions: [
              DecisionRecord(
                kind: .branch, path: text, index: .max,
                options: [OptionProbability(.branch(text), raw: .nan, masked: 2, sampled: -1)],
                chosen: .branch(text), step: .max, unresolved: .nan),
              DecisionRecord(
                kind: .choice, path: text, index: 0,
                options: [OptionProbability(.branch(other), raw: .nan, masked: 2, sampled: -1)],
                chosen: .branch(text), step: -1, unresolved: .nan),
            ],
            trace: [
              TokenStep(
                text: text, path: other, isForced: index == 0, legalCount: .min, keptMass: .nan,
                candidates: [
                  TokenCandidate(text: other, raw: .infinity, sampled: -1, isAllowed: false)
                ])
            ])
        }
      }
    }
  }
}
