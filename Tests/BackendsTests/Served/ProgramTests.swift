import EvalRecords
import Foundation
import HTTPTransport
import ModelServers
import StructuredText
import TestSupport
import Testing

@testable import Backends

/// Tests a served backend whose server is a program, with shell scripts as the programs.
@Suite("A program as the system under test", .timeLimit(.minutes(10)))
struct ProgramTests {
  /// The members of a good reply, without its id.
  static let good = #"\"answer\":{\"tone\":\"calm\",\"tips\":[\"Breathe.\"]}"#

  /// A script that reads a line into `l` and its id into `i`.
  static let read = #"read -r l || exit 0; i=${l#*:}; i=${i%%,*}; "#

  /// A script that answers one request.
  static func once(_ members: String = good) -> String {
    read + "echo \"{\\\"id\\\":$i,\(members)}\"; "
  }

  /// A script that answers all requests.
  static func always(_ members: String = good) -> String { "while :; do \(once(members))done" }

  /// Returns a backend for a program that the shell script implements.
  static func backend(
    _ script: String, atOnce: Int = 1, environment: [String: String] = [:],
    change: (inout ServedOptions) -> Void = { _ in }
  ) throws -> ServedBackend {
    var options = ServedLab.options
    options.mostAtOnce = atOnce
    options.timeLimit = .seconds(60)
    change(&options)
    let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    return try ServedLab.backend(
      ProgramClient(
        environment: path.merging(environment) { $1 }, elapsed: ContinuousClock().stopwatch()),
      name: "exec:\(script)", options: options)
  }

  // MARK: Good programs

  @Test("a program can answer many requests in one process, or each in a process of its own")
  func checkProcesses() async throws {
    for (script, atOnce, most) in [
      (Self.always(), 1, 1), (Self.once(), 1, 6), (Self.always(), 3, 3), (Self.once(), 3, 6),
      // Without a line break at the end.
      (Self.read + "printf '{\"id\":%s,\(Self.good.replacing("\\", with: ""))}' $i", 1, 6),
      // A program that writes a lot to its standard error.
      ("yes >&2 & " + Self.always(), 1, 1),
    ] {
      let backend = try Self.backend(script, atOnce: atOnce)
      let answers = await ServedLab.answers(of: backend, repeats: 6)
      #expect(answers.count == 6, "\(script)")
      for answer in answers {
        #expect(answer.output == ServedLab.answer && answer.failure == nil, "\(script): \(answer)")
        #expect(answer.earlierTries == nil, "\(script): \(answer)")
      }
      let use = backend.served
      #expect((1...most).contains(use?.connections ?? 0), "\(script): \(String(describing: use))")
      #expect(use?.mostAtOnce ?? 0 <= atOnce)
    }
  }

  @Test(
    "a request holds the test case, the prompt, the schema, the seed, the options and variables")
  func checkRequest() async throws {
    var request = ServedLab.request()
    request.variables = ["input": "Some text.", "expected": 3]
    request.settings.topK = 40
    let folder = try TemporaryFolder()
    let file = folder.path("sent")
    let script = "tee '\(file)' | { \(Self.always()); }"
    _ = await ServedLab.answers(of: try Self.backend(script), request)
    let line = try String(contentsOfFile: file, encoding: .utf8)
    #expect(line.hasPrefix(#"{"id":1,"suite":"notes","variant":"default","case":"one""#))
    let sent = try JSONValue(parsing: line)
    #expect(sent["instructions"] == "Be brief." && sent["prompt"] == "Say something.")
    #expect(
      sent["messages"] == [
        ["role": "system", "content": "Be brief."], ["role": "user", "content": "Say something."],
      ])
    #expect(sent["schema"]?["title"] == "Note" && sent["seed"] == 7)
    #expect(sent["options"]?["topK"] == 40 && sent["options"]?["sampling"] == "random")
    #expect(sent["variables"] == ["input": "Some text.", "expected": 3])
  }

  @Test("an answer depends on the variables, so the cache keys a program's answers by them too")
  func checkCacheKey() throws {
    let backend = try Self.backend("true")
    let seed = RepeatSeed(repeatIndex: 0, seed: 7)
    var request = ServedLab.request()
    let before = backend.sentText(of: request, repeat: seed)
    let stub = StubBackend()
    let (local, web) = (
      stub.sentText(of: request, repeat: seed),
      try ServedLab.backend(ScriptedClient { _, _ in ServedLab.response(500, "") })
        .sentText(of: request, repeat: seed)
    )
    request.variables = ["expected": 4]
    #expect(backend.sentText(of: request, repeat: seed) != before)
    #expect(stub.sentText(of: request, repeat: seed) == local)
    #expect(
      try ServedLab.backend(ScriptedClient { _, _ in ServedLab.response(500, "") })
        .sentText(of: request, repeat: seed) == web)
  }

  @Test("a program can report its version, its tokens, and decisions with their probabilities")
  func checkDetails() async throws {
    let decisions =
      #"\"decisions\":[{\"kind\":\"choice\",\"path\":\"$.tone\",\"options\":{\"calm\":0.75,"#
      + #"\"loud\":0.25},\"chosen\":\"calm\"}]"#
    let script = Self.always(
      "\(Self.good),\\\"version\\\":\\\"v7\\\",\\\"model\\\":\\\"mine\\\","
        + "\\\"usage\\\":{\\\"promptTokens\\\":5,\\\"outputTokens\\\":9},"
        + decisions.replacing("$.tone", with: "\\$.tone"))
    let backend = try Self.backend(script)
    let answer = try #require(await ServedLab.answers(of: backend).first)
    #expect(answer.failure == nil, "\(answer)")
    #expect(answer.promptTokens == 5 && answer.outputTokens == 9)
    #expect(answer.served?.fingerprint == "v7" && answer.served?.model == "mine")
    let decision = try #require(answer.decisions.first)
    #expect(decision.path == "$.tone" && decision.chosen == .branch("calm"))
    #expect(decision.sampledProbability(of: .branch("loud")) == 0.25 && decision.isResolved)
    #expect(backend.served?.measuredDecisions == 1)
  }

  @Test("the requests that test servers show whether a program honors seeds and lists decisions")
  func checkProbe() async throws {
    let mood = #"{\"words\":[\"rain\"],\"mood\":\"calm\"}"#
    func script(_ town: String, _ more: String = "") -> String {
      "n=0; while read -r l; do n=$((n+1)); i=${l#*:}; i=${i%%,*}; s=${l#*'\"seed\":'}; "
        + "s=${s%%,*}; case $l in *prose*) a=\"\(mood)\";; *'\"greedy\"'*) a='{\"name\":\"Cold\"}';; "
        + "*) a=\"{\\\"name\\\":\\\"T\(town)\\\"}\";; esac; "
        + "echo \"{\\\"id\\\":$i,\\\"answer\\\":$a\(more)}\"; done"
    }
    let honors = await (try Self.backend(script("$s"))).probe().0
    #expect(honors.enforcesSchema == .yes && honors.repeatsSeeds == .yes)
    #expect(honors.appliesTemperature == .yes && honors.measuresDecisions == .no)
    let ignores = await (try Self.backend(script("$n"))).probe().0
    #expect(ignores.repeatsSeeds == .no)
    let lists = await
      (try Self.backend(
        script(
          "$s",
          #",\"decisions\":[{\"kind\":\"optional\",\"path\":\"\$.x\",\"options\":"#
            + #"{\"present\":0.5,\"absent\":0.5},\"chosen\":\"absent\"}]"#))).probe().0
    #expect(lists.measuresDecisions == .yes && lists.listsBeforeMask == .no, "\(lists)")
  }

  // MARK: Faults

  /// A script that replies to one request with a line, and goes on.
  static func reply(_ line: String) -> String { read + #"printf '%s\n' "\#(line)"; cat"# }

  struct Fault: Sendable {
    var name: String
    var script: String
    var kind = AttemptFailure.Kind.backend
    /// The number of requests if the fault persists.
    var requests = 3
    var words: String
    /// Whether the backend sends no more requests if the fault persists.
    var ends = false
  }

  static let faults: [Fault] = [
    Fault(
      name: "no such program", script: "/no/such/program", requests: 1,
      words: "`/no/such/program` can't be run: ", ends: true),
    Fault(
      name: "an end before the first answer", script: "exit 3",
      words: "the program ended with exit status 3 before it answered its first request",
      ends: true),
    Fault(
      name: "death by a signal", script: read + "echo oops >&2; kill -9 $$",
      words: "ended with exit status 137 before it answered its first request: oops", ends: true),
    Fault(
      name: "a closed output", script: read + "exec >&-; sleep 3600",
      words: "the program closed its standard output before it answered", ends: true),
    Fault(
      name: "silence", script: read + "sleep 3600", kind: .timeout,
      words: "no answer within 300 ms"),
    Fault(
      name: "a program that reads nothing and ignores signals",
      script: "trap '' TERM; while :; do sleep 1; done", kind: .timeout,
      words: "no answer within 300 ms"),
    Fault(
      name: "endless lines", script: "yes", words: "wrote `y` instead of a JSON object"),
    Fault(
      name: "an endless line", script: "tr '\\0' x </dev/zero", requests: 1,
      words: "longer than the 65536 KiB allowed"),
    Fault(
      name: "words", script: "echo Loading the model; " + always(),
      words: "wrote `Loading the model` instead of a JSON object"),
    Fault(
      name: "bytes that are not UTF-8", script: read + "printf '{\"\\377\"}\\n'; cat",
      words: "a line that is not UTF-8"),
    Fault(
      name: "another id", script: read + #"echo '{"id":0,"answer":{}}'; cat"#,
      words: "replied to the request 0 while it was asked the request"),
    Fault(
      name: "a number that isn't JSON", script: reply(#"{\"id\":$i,\"answer\":NaN}"#),
      words: #"the program's reply `{"id":"#),
    Fault(
      name: "a key twice", script: reply(#"{\"id\":$i,\"id\":$i}"#),
      words: "is not JSON (1:"),
    Fault(
      name: "half a surrogate", script: reply(#"{\"id\":$i,\"answer\":\"\\ud800\"}"#),
      words: "is not JSON (1:"),
    Fault(
      name: "a list", script: read + "echo '[1]'; cat",
      words: "wrote `[1]` instead of a JSON object"),
    Fault(name: "no id", script: read + "echo '{\"answer\":{}}'; cat", words: "has no `id`"),
    Fault(
      name: "no answer", script: always(#"\"answers\":1"#),
      words: "it has `answers`; did you mean `answer`?"),
    Fault(
      name: "two answers", script: always(good + #",\"failure\":{\"kind\":\"refusal\"}"#),
      words: "it has `answer` and `failure`"),
    Fault(
      name: "a failure of the program",
      script: always(#"\"failure\":{\"kind\":\"backend\",\"message\":\"no network\"}"#),
      words: "the program can't answer now: no network"),
  ]

  @Test("a fault that persists becomes an error that says what happened", arguments: faults.indices)
  func checkLasting(_ index: Int) async throws {
    let fault = Self.faults[index]
    let backend = try Self.backend(fault.script) {
      if fault.kind == .timeout { $0.timeLimit = .milliseconds(300) }
    }
    let answer = try #require(await ServedLab.answers(of: backend).first)
    #expect(answer.failure?.kind == fault.kind, "\(fault.name): \(answer)")
    #expect(answer.failure?.message.contains(fault.words) == true, "\(fault.name): \(answer)")
    #expect(backend.served?.requests == fault.requests, "\(fault.name)")
    #expect((backend.ending != nil) == fault.ends, "\(fault.name)")
  }

  @Test(
    "a temporary fault costs one more try, and the answer records the failed try",
    arguments: faults.indices)
  func checkPassing(_ index: Int) async throws {
    let fault = Self.faults[index]
    guard fault.requests > 1 else { return }
    let folder = try TemporaryFolder()
    let mark = folder.path("mark")
    let script =
      "if test -e '\(mark)'; then \(Self.always()); else : >'\(mark)'; "
      + "\(fault.script); fi"
    let backend = try Self.backend(script) {
      if fault.kind == .timeout { $0.timeLimit = .seconds(4) }
    }
    let answer = try #require(await ServedLab.answers(of: backend).first)
    // A program that goes on after an unusable reply is asked again.
    guard !["no answer", "two answers", "a failure of the program"].contains(fault.name) else {
      return
    }
    #expect(answer.failure == nil && answer.output == ServedLab.answer, "\(fault.name): \(answer)")
    #expect(answer.earlierTries?.count == 1, "\(fault.name): \(answer)")
  }

  @Test("a program that answers twice, or a request that it answered before, is asked anew")
  func checkSecondAnswers() async throws {
    let twice = "while :; do \(Self.once())echo \"{\\\"id\\\":$i,\(Self.good)}\"; done"
    let backend = try Self.backend(twice)
    let answers = await ServedLab.answers(of: backend, repeats: 4)
    #expect(answers.allSatisfy { $0.output == ServedLab.answer && $0.failure == nil })
    let tries = answers.flatMap { $0.earlierTries ?? [] }
    #expect(!tries.isEmpty && tries.count <= 3, "\(answers)")
    for attempt in tries {
      #expect(attempt.failure.message.contains("one line for each request"), "\(attempt)")
    }
  }

  @Test("each failure that a program reports has a kind of its own", arguments: 0..<7)
  func checkReported(_ index: Int) async throws {
    let (name, kind) = [
      ("refusal", AttemptFailure.Kind.refusal), ("truncated", .truncated),
      ("contextSizeExceeded", .contextSizeExceeded), ("malformedOutput", .malformedOutput),
      ("promptTooLong", .promptTooLong),
      ("unsupportedGenerationGuide", .unsupportedGenerationGuide), ("rateLimited", .rateLimited),
    ][index]
    let script = Self.always(
      #"\"failure\":{\"kind\":\"\#(name)\",\"message\":\"Because.\"}"#)
    let answer = try #require(await ServedLab.answers(of: Self.backend(script)).first)
    #expect(answer.failure?.kind == kind, "\(answer)")
  }

  // MARK: Processes

  /// Waits until none of the processes whose ids are in a file runs, and returns those that still
  /// run after a minute.
  static func waitForEnd(of file: String) async -> [Int32] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let ids = text.split(separator: "\n").compactMap { Int32($0) }
    guard !ids.isEmpty else { return [-1] }
    await waitUntil { ids.allSatisfy(hasEnded) }
    return ids.filter { !hasEnded($0) }
  }

  @Test(
    "a program ends with the backend, and so does everything that it has started",
    arguments: ["", "trap '' TERM; ", "(trap '' TERM HUP; sleep 3600) & echo $! >>$PIDS; "])
  func checkNothingIsLeft(_ start: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("pids")
    for script in ["\(Self.always()); sleep 3600", "\(Self.once())sleep 3600", "sleep 3600"] {
      let backend = try Self.backend(
        "echo $$ >>$PIDS; sleep 3600 & echo $! >>$PIDS; \(start)\(script)",
        environment: ["PIDS": file]
      ) {
        if script == "sleep 3600" { $0.timeLimit = .milliseconds(200) }
      }
      _ = await ServedLab.answers(of: backend, repeats: 2)
    }
    #expect(await Self.waitForEnd(of: file) == [])
  }

  @Test("a cancelled request ends its program")
  func checkCancelled() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("pids")
    let backend = try Self.backend(
      "echo $$ >>$PIDS; sleep 3600", environment: ["PIDS": file])
    let task = Task { await ServedLab.answers(of: backend) }
    await waitUntil { (try? String(contentsOfFile: file, encoding: .utf8))?.isEmpty == false }
    task.cancel()
    #expect(await task.value.isEmpty)
    #expect(await Self.waitForEnd(of: file) == [])
    #expect(backend.served != nil)
  }
}
