import EvalRecords
import StructuredText
import Testing

@Suite("Merging the shards of a run")
struct RunMergeTests {
  private static let cases = ["a", "b", "c", "d", "e"]

  private static func identities(_ digest: String) -> AssertionIdentities {
    AssertionIdentities(shared: [AssertionIdentity(name: "is ok", digest: digest)], own: [])
  }

  private func suite(_ cases: [String], isShare: Bool = true) -> SuiteRecord {
    var details = SuiteDetails()
    details.assertions = Self.identities("1")
    if isShare { details.plan = SuitePlan(position: 0, cases: Self.cases) }
    return SuiteRecord(
      id: "quiz", title: "Quiz", guards: "", file: "quiz/suite.yaml", schemaName: "Quiz",
      variants: [
        VariantRecord(
          id: "default", title: "", schema: "{}", instructions: nil, promptTemplate: "{{input}}",
          edits: [])
      ],
      cases: cases.map {
        CaseRecord(
          id: $0, title: $0, tags: [], variables: ["input": .string($0)], expectedBranches: [],
          assertions: [])
      }, repeats: 2, seed: 7, options: GenerationSettings(), gate: GateRecord(), details: details)
  }

  private func shard(
    _ cases: [String], _ change: (inout RunRecord) -> Void = { _ in }
  ) -> RunShard {
    var run = RunRecord(
      id: 4, label: "nightly", startedAt: "2026-11-20T01:00:00Z",
      finishedAt: "2026-11-20T01:0\(cases.count):00Z", status: .complete, toolVersion: "0.1.0",
      commit: "abc",
      backends: [BackendRecord(id: "stub", model: "m", engine: "e", isDeterministic: true)],
      suites: cases.isEmpty ? [] : [suite(cases)])
    change(&run)
    return RunShard(
      name: cases.joined(), run: run, attempts: cases.reversed().flatMap(attempts))
  }

  private func attempts(_ caseID: String) -> [AttemptRecord] {
    [1, 0].map { index in
      AttemptRecord(
        key: AttemptKey(
          suite: "quiz", variant: "default", backend: "stub", caseID: caseID, repeatIndex: index),
        seed: 1, outcome: .pass, stopReason: .complete)
    }
  }

  @Test("merging all shards gives the whole run, in any order and even if a shard is given twice")
  func allSharesAreTheWhole() throws {
    let shards = [shard(["b", "e"]), shard(["a", "d"]), shard(["c"]), shard([])]
    for order in [shards, shards.reversed(), shards + shards] {
      let merge = try RunMerge(order)
      #expect(merge.missingCases == [])
      #expect(merge.run.status == .complete)
      #expect(merge.run.suites == [suite(Self.cases, isShare: false)])
      #expect(merge.run.finishedAt == "2026-11-20T01:02:00Z")
      #expect(merge.attempts.map(\.key.caseID) == Self.cases.flatMap { [$0, $0] })
      #expect(merge.attempts.map(\.key.repeatIndex) == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
    }
  }

  @Test("an attempt that one shard skipped and another made is merged as it was made")
  func skippedAndMade() throws {
    var skipping = shard(["c"])
    for index in skipping.attempts.indices { skipping.attempts[index].outcome = .skipped }
    var making = shard(["c"])
    (skipping.name, making.name) = ("1", "2")
    for names in [("1", "2"), ("2", "1")] {
      (skipping.name, making.name) = names
      let merge = try RunMerge([skipping, making, shard(["a", "b", "d", "e"])])
      #expect(merge.attempts.allSatisfy { $0.outcome == .pass } && merge.attempts.count == 10)
    }
  }

  @Test("a suite that one shard missed hasn't vanished if another shard has it")
  func vanished() throws {
    let merge = try RunMerge([
      shard(["a", "d"]),
      shard(["b", "c", "e"]) { $0.details.vanishedBaselines = ["quiz", "gone"] },
    ])
    #expect(merge.run.details.vanishedBaselines == ["gone"])
  }

  @Test("if a shard is missing or was interrupted, the merged run is interrupted")
  func missingShare() throws {
    let merge = try RunMerge([shard(["a", "d"]), shard(["c"])])
    #expect(merge.missingCases == ["quiz/b", "quiz/e"])
    #expect(merge.run.status == .interrupted)
    let stopped = shard(["c"]) { $0.status = .interrupted }
    #expect(
      try RunMerge([shard(["a", "b", "d", "e"]), stopped]).run.status == .interrupted)
  }

  @Test(
    "shards of different runs are rejected, and the error names the difference")
  func differencesAreRefused() {
    let table: [(String, (inout RunRecord) -> Void)] = [
      ("version of Assay", { $0.toolVersion = "0.2.0" }),
      ("measurement protocol", { $0.details.measurementProtocol = 2 }),
      ("commit", { $0.commit = nil }),
      ("label", { $0.label = "x" }),
      ("model file of stub", { $0.backends[0].modelDigest = "00" }),
      ("engine of stub", { $0.backends[0].engine = "f" }),
      ("backend stub", { $0.backends[0].isToy = true }),
      ("backends", { $0.backends = [] }),
      ("repeats of suite quiz", { $0.suites[0].repeats = 3 }),
      ("seed of suite quiz", { $0.suites[0].seed = 8 }),
      ("options of suite quiz", { $0.suites[0].options.topK = 3 }),
      ("schema of variant default of suite quiz", { $0.suites[0].variants[0].schema = "[]" }),
      ("prompt of variant default of suite quiz", { $0.suites[0].variants[0].promptTemplate = "" }),
      ("number of selected test cases of suite quiz", { $0.suites[0].details.plan?.cases = ["a"] }),
      ("digest of the inputs of suite quiz", { $0.suites[0].details.plan?.inputs = "1" }),
      (
        "assertion `is ok` of suite quiz",
        { $0.suites[0].details.assertions = Self.identities("2") }
      ),
      ("record of suite quiz", { $0.suites[0].title = "x" }),
    ]
    for (what, change) in table {
      do throws(RunMerge.Refusal) {
        _ = try RunMerge([shard(["a"]), shard(["b"], change)])
        Issue.record("merged although this differs: \(what)")
      } catch {
        guard case .different(what, _, _) = error else {
          Issue.record("\(what): \(error)")
          continue
        }
        #expect(error.description.contains(what))
      }
    }
  }

  @Test("the stub's answers must be the same only if the stub answers", arguments: [true, false])
  func stubAnswers(isStub: Bool) {
    func shard(_ cases: [String], _ digest: String) -> RunShard {
      self.shard(cases) {
        if isStub { $0.backends = [.stub()] }
        $0.suites[0].details.plan?.stubAnswers = digest
      }
    }
    for (digest, isRefused) in [("1", false), ("2", isStub)] {
      do throws(RunMerge.Refusal) {
        _ = try RunMerge([shard(["a"], "1"), shard(["b"], digest)])
        #expect(!isRefused)
      } catch {
        #expect(isRefused && error.description.contains("the stub's answers of suite quiz"))
      }
    }
  }

  @Test("two different results of an attempt are rejected, but a skipped attempt is replaced")
  func conflicts() throws {
    var other = shard(["a"])
    other.name = "other"
    other.attempts[0].outcome = .fail
    #expect(throws: RunMerge.Refusal.self) { try RunMerge([shard(["a"]), other]) }
    other.attempts[0].outcome = .skipped
    #expect(try RunMerge([other, shard(["a"])]).attempts.map(\.outcome) == [.pass, .pass])
    #expect(throws: RunMerge.Refusal.nothing) { try RunMerge([]) }
  }

  @Test("the models of the merged run are those that answered its attempts")
  func servedModels() throws {
    func part(_ caseID: String, _ models: [String?], noted: [String: Int]?) -> RunShard {
      var part = shard([caseID]) { run in
        guard let noted else { return }
        var use = ServedUse(address: "a")
        use.models = noted
        run.details.served = ["stub": use]
      }
      for (index, model) in models.enumerated() {
        guard let model else { continue }
        var answer = ServedAnswer()
        (answer.model, answer.fingerprint) = (model, "fp")
        part.attempts[index].details.served = answer
      }
      return part
    }
    func use(_ shards: RunShard...) throws -> ServedUse? {
      try RunMerge(shards).run.details.served?["stub"]
    }
    // The process that received the answers of m1 was killed, so only the attempts name it.
    let resumed = try use(part("a", ["m1", "m2"], noted: ["m2": 1]))
    #expect(resumed?.models == ["m1": 1, "m2": 1] && resumed?.fingerprints == ["fp": 2])
    let killed = try use(
      part("a", ["m1", "m1"], noted: nil), part("b", ["m2", nil], noted: ["m2": 2]))
    #expect(killed?.models == ["m1": 2, "m2": 1])
    // Without the names of the answers, the counts of the processes stay.
    let unnamed = try use(
      part("a", [nil, nil], noted: ["m1": 2]), part("b", [nil, nil], noted: ["m1": 2]))
    #expect(unnamed?.models == ["m1": 4])
    #expect(try use(part("a", ["m1", "m1"], noted: nil)) == nil)
  }
}
