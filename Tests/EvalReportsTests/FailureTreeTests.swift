import EvalRecords
import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Tree of failures")
struct FailureTreeTests {
  /// Returns the report of a synthetic run whose attempts a closure has changed.
  private func document(
    variants: [String] = ["default", "naive"], _ change: (inout [AttemptRecord]) -> Void
  ) -> ReportDocument {
    var run = SyntheticRun(casesPerSuite: 6, repeats: 5)
    run.variants = variants
    run.emptyShare = 0.3
    run.confusedShare = 0
    var attempts = run.attempts
    change(&attempts)
    return ReportDocument(run: run.record, attempts: attempts.withFacts(of: run.suites))
  }

  private func cut(_ attempt: inout AttemptRecord, at key: String, outcome: Outcome = .error) {
    attempt.outcome = outcome
    attempt.stopReason = .tokenLimit
    attempt.failure = AttemptFailure(kind: .truncated, message: "cut")
    attempt.output = "{\"\(key)\":\"a"
  }

  @Test("an answer that was cut off is not valid output, whether it is a failure or an error")
  func incompleteAnswers() throws {
    let document = document(variants: ["default"]) { attempts in
      for index in attempts.indices where attempts[index].key.suite == "menu" {
        cut(&attempts[index], at: "key", outcome: index % 2 == 0 ? .error : .fail)
      }
    }
    let cutOff = try #require(document.summary.tree.causes.first { $0.kind == .cutOff })
    let row = try #require(document.rates.first { $0.quantity == .validOutput })
    #expect(cutOff.failed > 0)
    #expect(row.now.hits == row.now.count - cutOff.failed)
  }

  @Test(
    "all answers that were cut off have one cause, and the tree counts each failed attempt once")
  func cutOff() throws {
    let document = document { attempts in
      for index in attempts.indices where attempts[index].key.suite == "menu" {
        cut(&attempts[index], at: "key\(index % 7)", outcome: index % 2 == 0 ? .error : .fail)
      }
    }
    let tree = document.summary.tree
    let branch = try #require(tree.causes.first { $0.kind == .cutOff })
    // The menu has two variants of six test cases with five repeats.
    #expect(branch.failed == 60)
    #expect(branch.places.map(\.failed) == [30, 30])
    #expect(branch.places.allSatisfy { $0.attempts == 30 && $0.cases == 6 })
    #expect(branch.places[0].clusters.count == 7)
    #expect(tree.failed == document.summary.tally.notPassed)
    #expect(
      tree.causes.reduce(0) { $0 + $1.places.reduce(0) { $0 + $1.failed } } == tree.failed)
    let cause = try #require(document.summary.tree.causes.first)
    #expect(cause.kind == .cutOff)
    #expect(
      document.nextStep(for: cause)
        == .raiseTokenLimit(
          TokenLimit(limit: 512, file: "evals/menu/suite.yaml", failed: 60, all: 60)))
    #expect(cause.clause(of: 300) == "60 of 300 attempts were cut off at the token limit")
    #expect(
      cause.whereWords(of: 1000, since: nil) == "for example in menu:default (30 of 30 attempts)")
    #expect(document.command(for: cause).hasPrefix("assay show menu/"))
  }

  @Test(
    "the page expands the cause that a suite guards against, even if others are more frequent")
  func guarded() throws {
    let document = document { attempts in
      for index in attempts.indices where attempts[index].key.suite != "flashcards" {
        cut(&attempts[index], at: "key")
      }
    }
    let branch = try #require(document.summary.tree.causes.first { $0.kind == .emptyArray })
    #expect(branch.isGuarded && branch.id == "k-emptyArray")
    let page = HTMLReport.render(document)
    #expect(page.contains(#"<details id="k-emptyArray" class="kind" open>"#))
    #expect(page.contains(#"<details id="k-cutOff" class="kind" open>"#))
  }

  private static let words = String(repeating: "so on and on ", count: 9)
  private static let elements = String(repeating: #"{"question":"Why?"},"#, count: 9)

  @Test(
    "the next step raises the token limit only for cut-off answers that don't repeat themselves",
    arguments: [
      (
        #"{"cards":[{"question":""# + words, 30,
        "add maxLength to the schema of $.cards[*].question in menu, where 30 answers repeat "
          + "themselves"
      ),
      (
        #"{"cards":["# + elements, 30,
        "add maxItems to the schema of $.cards in menu, where 30 answers repeat themselves"
      ),
      (
        #"{"note":""# + words, 12,
        "add maxLength to the schema of $.note in menu, where 12 answers repeat themselves; for 18 "
          + "other answers, raise maximumTokens (512 now) in evals/menu/suite.yaml"
      ),
      (
        #"{"note":""# + words, 29,
        "add maxLength to the schema of $.note in menu, where 29 answers repeat themselves; for 1 "
          + "other answer, raise maximumTokens (512 now) in evals/menu/suite.yaml"
      ),
      (
        #"{"a":[],"# + String(repeating: #""a":[],"#, count: 30), 30,
        "change the prompt, because 30 answers repeat themselves"
      ),
    ])
  func repetition(output: String, repeating: Int, words: String) throws {
    let document = document(variants: ["default"]) { attempts in
      var left = repeating
      for index in attempts.indices where attempts[index].key.suite == "menu" {
        cut(&attempts[index], at: "key\(index % 3)")
        guard left > 0 else { continue }
        attempts[index].output = output
        left -= 1
      }
    }
    let cause = try #require(document.summary.tree.causes.first { $0.kind == .cutOff })
    #expect(document.nextStep(for: cause).words.replacing("\u{A0}", with: " ") == words)
  }

  @Test("if answers repeat themselves in several places, the next step names the worst place")
  func severalRepetitions() throws {
    let document = document(variants: ["default"]) { attempts in
      for (number, index) in attempts.indices.filter({ attempts[$0].key.suite == "menu" })
        .enumerated()
      {
        cut(&attempts[index], at: "key")
        if number < 25 {
          let place = number < 12 ? "note" : number < 20 ? "title" : "end"
          attempts[index].output = #"{"\#(place)":""# + Self.words
        }
      }
    }
    let cause = try #require(document.summary.tree.causes.first { $0.kind == .cutOff })
    #expect(
      document.nextStep(for: cause).words.replacing("\u{A0}", with: " ")
        == "add maxLength to the schema of $.note in menu, where 12 answers repeat themselves; for "
        + "5 other answers, raise maximumTokens (512 now) in evals/menu/suite.yaml")
  }

  @Test("for empty arrays without a minimum in the schema, the next step is to add a minimum")
  func bounds() throws {
    let document = document { _ in }
    let cause = try #require(document.summary.tree.causes.first { $0.kind == .emptyArray })
    let step = document.nextStep(for: cause)
    let place = ArrayBound.Place(path: "$.cards", suite: "flashcards", bound: 3, isMinimum: true)
    #expect(
      step
        == .addBound(
          ArrayBound(place: place, failed: cause.failed, areEmpty: true), fixedBy: nil))
    #expect(
      step.words.replacing("\u{A0}", with: " ")
        == "add minItems: 3 to the schema of $.cards in flashcards, because \(cause.failed) arrays "
        + "were empty")
  }

  @Test("the next step is a change only if there are at least three failures", arguments: 1...4)
  func evidence(count: Int) throws {
    let document = document(variants: ["default"]) { attempts in
      var left = count
      for index in attempts.indices {
        attempts[index].outcome = .pass
        guard attempts[index].key.suite == "menu", left > 0 else { continue }
        cut(&attempts[index], at: "key")
        left -= 1
      }
    }
    let cause = try #require(document.summary.tree.causes.first)
    #expect(cause.failed == count)
    #expect((document.nextStep(for: cause) == .inspect) == (count < 3))
  }

  @Test(
    "an attempt's kind of failure depends on why the attempt has no value",
    arguments: [
      (.truncated, .cutOff), (.contextSizeExceeded, .contextFull), (.refusal, .refusal),
      (.malformedOutput, .malformed), (.timeout, .error), (.rateLimited, .error),
      (.backend, .error), (.unsupportedGenerationGuide, .error),
    ] as [(AttemptFailure.Kind, FailureKind)])
  func kinds(failure: AttemptFailure.Kind, kind: FailureKind) throws {
    let document = document(variants: ["default"]) { attempts in
      attempts = Array(attempts.prefix(1))
      attempts[0].outcome = .error
      attempts[0].failure = AttemptFailure(kind: failure, message: "because")
    }
    #expect(document.summary.tree.causes.map(\.kind) == [kind])
  }

  @Test(
    "a full context is a cause of its own, whose next step is a shorter request",
    arguments: [
      ("", "", "shorten the instructions, the input or the answer"),
      (
        #"{"cards":[{"q":"Wh"#, " in $.cards[*].q",
        "shorten the instructions, the input or the answer"
      ),
      (
        #"{"cards":[{"question":""# + words, " in $.cards[*].question",
        "add maxLength to the schema of $.cards[*].question in menu, where 4 answers repeat "
          + "themselves"
      ),
    ])
  func contextFull(output: String, place: String, words: String) throws {
    let document = document(variants: ["default"]) { attempts in
      let menu = attempts.indices.filter { attempts[$0].key.suite == "menu" }
      for (number, index) in menu.enumerated() where number < 8 {
        cut(&attempts[index], at: "key")
        guard number < 4 else { continue }
        attempts[index].output = output
        attempts[index].stopReason = .contextFull
        attempts[index].failure?.kind = output.isEmpty ? .contextSizeExceeded : .truncated
      }
    }
    let causes = document.summary.tree.causes
    #expect(causes.first { $0.kind == .cutOff }?.failed == 4)
    let cause = try #require(causes.first { $0.kind == .contextFull })
    #expect(cause.title == "Context full")
    #expect(cause.clause(of: 30) == "4 of 30 attempts filled the model’s context")
    #expect(document.nextStep(for: cause).words.replacing("\u{A0}", with: " ") == words)
    let titles = cause.places.flatMap { $0.clusters.map { document.summary.clusters[$0].title } }
    #expect(titles == ["context full" + place])
  }

  @Test("HTML, Markdown, terminal and JUnit reports show the same causes, counts and next steps")
  func sameEverywhere() throws {
    let document = document { attempts in
      for index in attempts.indices where attempts[index].key.suite == "menu" {
        cut(&attempts[index], at: "key")
      }
    }
    let page = ParsedHTML(HTMLReport.render(document)).text
    let markdown = MarkdownReport.render(document)
    let terminal = TerminalReport.render(document, color: false)
    let junit = JUnitReport.render(document)
    for cause in document.summary.tree.causes {
      for text in [page, terminal] { #expect(text.contains(cause.title)) }
      let title = MarkdownText.escaped(cause.title, limit: 200)
      #expect(markdown.contains("**\(title)**: \(cause.failed)"))
      for place in cause.places {
        let own = try #require(cause.within(place.slice)).clause(of: place.attempts)
        #expect(junit.contains("value=\"\(own). Fix: "), "\(own)")
      }
    }
    for text in [page, terminal] { #expect(text.contains("raise maximumTokens (512 now)")) }
    #expect(markdown.contains("raise maximumTokens"))
  }

  @Test(
    "a cause says what the assertion counted in the value",
    arguments: [
      ("range", "had a value out of bounds at $.a", "Value out of bounds at $.a"),
      (
        "sentences", "had the wrong number of sentences at $.a",
        "Wrong number of sentences at $.a"
      ),
      ("words", "had the wrong number of words at $.a", "Wrong number of words at $.a"),
    ])
  func counted(type: String, clause: String, title: String) throws {
    let document = document(variants: ["default"]) { attempts in
      attempts[0].outcome = .fail
      attempts[0].verdicts = [
        VerdictRecord(
          assertion: "own", type: type, path: "$.a", verdict: .fail, expected: "1", actual: "2")
      ]
    }
    let cause = try #require(
      document.summary.tree.causes.first { $0.kind == .bounds && $0.identity.subject == "$.a" })
    #expect(cause.clause(of: 9).hasSuffix(clause))
    #expect(cause.title == title)
  }

  @Test(
    "each failed assertion is a cause, and so is each path whose values are out of bounds")
  func causes() throws {
    let document = document(variants: ["default"]) { attempts in
      for index in attempts.indices where attempts[index].key.suite != "flashcards" {
        attempts[index].outcome = .fail
        let isRange = index % 2 == 0
        attempts[index].verdicts = [
          VerdictRecord(
            assertion: "check \(index % 7)", type: isRange ? "range" : "contains",
            path: "$.part\(index % 3)", verdict: .fail, expected: "1…5", actual: "9")
        ]
      }
    }
    let tree = document.summary.tree
    #expect(tree.causes.filter { $0.kind == .assertion }.count == 7)
    #expect(
      tree.causes.filter { $0.kind == .bounds }.map(\.identity.subject).sorted()
        == ["$.part0", "$.part1", "$.part2"])
    #expect(Set(tree.causes.map(\.id)).count == tree.causes.count)
    #expect(tree.causes.reduce(0) { $0 + $1.failed } == document.summary.tally.notPassed)
    // However short the list is, it has the causes that a suite guards against.
    let (shown, rest) = tree.shown(1)
    #expect(shown.contains { $0.kind == .emptyArray } && !rest.contains { $0.isGuarded })
    let slice = try #require(document.summary.slices.first { $0.key.suite == "menu" }).key
    let own = tree.causes(in: slice)
    #expect(
      own.map(\.failed) == own.map(\.failed).sorted(by: >)
        && own.allSatisfy { $0.places.count == 1 })
    for cause in shown {
      #expect(
        HTMLReport.render(document).contains(cause.clause(of: document.summary.tally.attempts)))
    }
  }

  @Test("a run in which every attempt passed has no causes of failure, and its page has no tree")
  func nothing() {
    let document = document { attempts in
      for index in attempts.indices { attempts[index].outcome = .pass }
    }
    #expect(document.summary.tree.causes.isEmpty && document.summary.tree.failed == 0)
    #expect(!TerminalReport.render(document, color: false).contains("failed"))
    #expect(!HTMLReport.render(document).contains("class=\"causes\""))
  }
}
