import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import EvalSuites
import StructuredText
import SystemBasics

/// The report of `assay power` on one suite and backend: which true rates the gate tells apart, and
/// which drop a comparison finds.
struct PowerReport {
  private let suite: String
  private let backend: String
  private let plan: GatePlan
  /// The simulated probabilities that `assay run` finds a drop below the baseline.
  private let rule: RulePower
  private let drop: Double
  /// A description of the reference.
  private let against: String
  /// How many test cases set their own repeats, and how many have their own gates.
  private let own: (repeats: Int, gates: Int)
  /// Whether nothing is sampled, so that all repeats of a test case are one draw.
  private var samplesNothing: Bool { plan.cases == plan.fixedCases }
  /// Whether each failure is the failure of a guardrail, which misses the gate at any rate.
  private let failsByGuardrail: Bool
  /// Whether an attempt can also miss the gate by a guardrail or by the value of a metric.
  private let hasOtherConditions: Bool

  init(
    _ suite: Suite, backend: String, repeatsSeeds: Bool, suites: Int, repeats: Int?,
    baseline: PowerBaseline?, drop: Double, alpha: Double, power: Double, trials: Int
  ) {
    self.suite = suite.id
    self.backend = backend
    self.drop = drop
    func repeatsOf(_ suiteCase: SuiteCase) -> Int {
      repeats ?? suiteCase.settings.repeats ?? suite.repeats
    }
    let count = suite.cases.reduce(0) { $0 + repeatsOf($1) }
    let sampling = suite.sampling(on: backend)
    func isFixed(_ suiteCase: SuiteCase) -> Bool { sampling.samplesNothing(in: suiteCase.id) }
    failsByGuardrail = suite.failsByGuardrail
    hasOtherConditions = !failsByGuardrail && suite.hasConditionsBesideRate
    own = (
      repeats == nil ? suite.cases.count { $0.settings.repeats != nil } : 0,
      suite.cases.count { $0.settings.passRate != nil }
    )
    against =
      baseline?.words
      ?? "an assumed baseline in which everything passed, because there is none yet"
    var world = SimulatedWorld()
    world.cases = suite.cases.count
    world.suites = suites
    world.repeats = repeats ?? suite.repeats
    world.rates = baseline?.failing ?? [0]
    world.alpha = alpha
    if !(baseline?.repeatsSeeds ?? repeatsSeeds) { world.engine = .unpaired }
    // The rates of the reference are in the order of the test cases' ids.
    world.fixedCases = suite.cases.sorted { $0.id < $1.id }.indices(where: isFixed)
    rule = RulePower(
      world, samplesNothing: world.fixedCases.count == world.cases, trials: trials, power: power)
    let needed = suite.gate.passRate(for: backend)
    // Test cases with their own gates don't count for the suite's gate.
    let judged =
      failsByGuardrail
      ? suite.cases : suite.cases.filter { $0.settings.passRate == nil }
    plan = GatePlan(
      cases: suite.cases.count, repeats: repeats ?? suite.repeats, neededRate: needed,
      alpha: alpha, power: power,
      judged: GateChance(
        repeats: judged.map(repeatsOf), fixedCases: judged.indices(where: isFixed),
        reducer: failsByGuardrail ? nil : suite.gate.reducer,
        neededRate: failsByGuardrail ? 1 : needed),
      attempts: count, fixedCases: suite.cases.count(where: isFixed))
  }

  /// Returns the report as text.
  func text(style: TextStyle) -> String {
    let chance = Self.percent(plan.power)
    var lines = [
      style.bold("\(suite) on \(backend)")
        + ": \(plan.cases.counted("test case")) × \(plan.repeats.counted("repeat"))"
        + (own.repeats > 0 ? " (\(own.repeats.counted("test case")) with a different number)" : "")
        + " = \(plan.count.counted("attempt"))"
        + fixed,
      "  gate \(Self.percent(plan.neededRate))\(asked): \(gate)"
        + ownGates + otherConditions,
      "  to see a failure with a rate of \(Self.percent(drop)) at least once with a probability "
        + "of \(Self.percent(1 - plan.alpha)): "
        + repeats(repeatsToSee),
      "  counts compared with \(against) (α \(Self.number(plan.alpha)), one-sided; "
        + "\(rule.trials) simulated runs, \(engine)):",
      "    smallest drop found with a probability of \(chance): "
        + (rule.smallestDrop.map { "about \(Self.points($0))" }
          ?? "none; more test cases are needed"),
      chanceToFind.map {
        "    a drop of \(Self.points(drop)) is found with a probability of "
          + "\(estimated($0)); for \(chance), \(advice)"
      } ?? "    a drop of \(Self.points(drop)) is impossible: only \(Self.percent(rule.passRate)) "
        + "of the attempts passed",
    ]
    if looksTwiceOnlyAfterEdit, isPossible {
      lines.append(
        "    these numbers include the second look that follows an edit of the requests; if the "
          + "answers get worse without an edit, a drop of \(Self.points(drop)) is found with a "
          + "probability of \(estimated(withoutSecondLook))")
    }
    lines.append(
      plan.cases >= leastCases
        ? "  decision probabilities: enough test cases (the minimum is \(leastCases)); one repeat "
          + "measures those that the schema fixes, two those after sampled text"
        : "  decision probabilities: too few test cases; with \(plan.cases), only shifts that add "
          + "up to more than 70 points in one or two of them are found; for smaller ones, the "
          + "minimum is \(leastCases)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The minimum number of test cases for a comparison of decision probabilities.
  private var leastCases: Int { plan.casesForProbabilities(suites: rule.world.suites) }

  /// Whether the pass rate can fall by the drop.
  private var isPossible: Bool { drop <= rule.passRate + 1e-9 }

  /// The simulated probability of finding the drop, or `nil` if there can be no such drop.
  private var chanceToFind: Double? { isPossible ? rule.chance(ofFinding: drop) : nil }

  /// A remark on the test cases that sample nothing.
  private var fixed: String {
    if samplesNothing { return "; nothing is sampled, so the repeats of a test case are one draw" }
    guard plan.fixedCases > 0 else { return "" }
    return "; in \(plan.fixedCases.counted("test case")), nothing is sampled, so their repeats are "
      + "one draw"
  }

  private var otherConditions: String {
    hasOtherConditions ? "; guardrails and metrics can miss it at any rate" : ""
  }

  /// A description of the gate's requirement.
  private var asked: String {
    let gate = plan.gate
    let reducer = gate.reducer.map { " by `\($0)`" } ?? ""
    guard let needed = gate.needed, let count = gate.count else { return ", mean score\(reducer)" }
    return gate.reducer == nil || gate.reducer == .mean
      ? ", \(needed.counted("pass", plural: "passes"))"
        + (failsByGuardrail ? " because every assertion is a guardrail" : "")
      : ", \(needed) of \(count) test cases\(reducer)"
  }

  private var gate: String {
    let gate = plan.gate
    if gate.hasTooFewRepeats, let reducer = gate.reducer {
      return "missed whatever the outcomes are, because `\(reducer)` needs "
        + "\(reducer.neededRepeats.counted("repeat"))"
    }
    if gate.repeats.isEmpty { return "applies to no test case" }
    if gate.chanceToPass(rate: 0) >= 1 { return "passes whatever the outcomes are" }
    guard let safe = plan.safeRate, let caught = plan.caughtRate else {
      return "missed whatever the outcomes are"
    }
    let about = gate.isApproximate ? "about " : ""
    let what = gate.reducer == nil ? "a true pass rate" : "a true pass rate per attempt"
    return "\(what) of \(about)\(Self.percent(safe)) passes the gate with a probability of "
      + "\(Self.percent(1 - plan.alpha)), and a rate of \(about)\(Self.percent(caught)) misses it "
      + "with a probability of \(Self.percent(plan.power))"
  }

  private var ownGates: String {
    switch own.gates {
    case 0: ""
    case 1: "; 1 test case has its own gate"
    default: "; \(own.gates) test cases have their own gates"
    }
  }

  /// A description of the draws that the simulation assumes for the two sides, and of the other
  /// suites of the night.
  private var engine: String {
    if samplesNothing { return "one draw of each test case on both sides" }
    switch rule.world.engine {
    case .unpaired:
      return "no draws the same on both sides"
        + (rule.world.suites > 1
          ? ", α shared with \((rule.world.suites - 1).counted("other suite"))" : "")
    case .paired(let shared): return "\(Self.percent(shared)) of the draws the same on both sides"
    }
  }

  /// Whether the answers can get worse although nobody edited the requests, as on a server whose
  /// model changes.
  private var looksTwiceOnlyAfterEdit: Bool {
    rule.world.engine == .unpaired && !samplesNothing
  }

  private var withoutSecondLook: Double { rule.chance(ofFinding: drop, looksTwice: false) }

  /// Returns a simulated probability with the error of the simulation: `71 % (± 4)`.
  private func estimated(_ chance: Double) -> String {
    let error = max(1, (100 * rule.simulationError(of: chance)).rounded(.up))
    return "\(Int((100 * chance).rounded())) % (± \(Int(error)))"
  }

  /// The advice for finding the drop with the desired probability: repeats, or more test cases.
  private var advice: String {
    guard let needed = repeatsToFind else {
      if samplesNothing { return "add test cases: further repeats are no new draws" }
      return "add test cases: \(RulePower.mostRepeats) repeats are not enough"
    }
    return needed <= rule.world.repeats
      ? "these repeats are enough"
      : "the minimum is \(needed.counted("repeat")) on both sides; accept a baseline with as many "
        + "repeats first"
  }

  /// The minimum number of repeats with which the drop is found, or `nil` if no number is enough.
  private var repeatsToFind: Int? {
    rule.repeats(toFind: drop)
  }

  /// The number of repeats with which a failure is seen, or `nil` if no number is enough.
  private var repeatsToSee: Int? { plan.repeatsToSee(failureRate: drop) }

  private func repeats(_ count: Int?) -> String {
    guard let count else { return "no number of repeats" }
    return count.counted("repeat")
  }

  /// Returns the reports as JSON.
  static func json(_ plans: [PowerReport]) -> String {
    func number(_ value: Double?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
    func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
    return JSONValue.array(
      plans.map { suite in
        let plan = suite.plan
        let chance = suite.chanceToFind
        return [
          "suite": .string(suite.suite), "backend": .string(suite.backend),
          "cases": number(plan.cases), "repeats": number(plan.repeats),
          "alpha": number(plan.alpha), "power": number(plan.power),
          "gate": [
            "rate": number(plan.neededRate), "passes": number(plan.gate.needed),
            "reducer": plan.gate.reducer.map { .string("\($0)") } ?? .null,
            "isApproximate": .bool(plan.gate.isApproximate),
            "safeRate": number(plan.safeRate), "caughtRate": number(plan.caughtRate),
          ],
          "baseline": [
            "rate": number(suite.rule.passRate), "words": .string(suite.against),
          ],
          "drop": number(suite.drop),
          "powerToFindDrop": number(chance),
          "simulationError": number(chance.map(suite.rule.simulationError)),
          "powerWithoutSecondLook": suite.looksTwiceOnlyAfterEdit && suite.isPossible
            ? number(suite.withoutSecondLook) : .null,
          "suites": number(suite.rule.world.suites),
          "minimumDetectableDrop": number(suite.rule.smallestDrop),
          "repeatsNeeded": number(suite.isPossible ? suite.repeatsToFind : nil),
          "trials": number(suite.rule.trials),
          "repeatsToSee": number(suite.repeatsToSee),
          "casesForProbabilities": number(suite.leastCases),
        ]
      }
    ).compactText
  }

  static func percent(_ share: Double) -> String { "\(number(share * 100)) %" }

  private static func points(_ share: Double) -> String { "\(number(share * 100)) points" }

  /// Returns a number as text, with at most two decimal places.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension [SuiteCase] {
  /// Returns the indices of the test cases that fulfil a condition.
  fileprivate func indices(where holds: (SuiteCase) -> Bool) -> Set<Int> {
    Set(indices.filter { holds(self[$0]) })
  }
}

extension Suite {
  /// Whether each assertion that can make an attempt fail is a guardrail, so that one failed
  /// attempt misses the gate.
  fileprivate var failsByGuardrail: Bool {
    let guardrails = Set(gate.guardrails)
    return !cases.isEmpty
      && cases.allSatisfy { suiteCase in
        let deciding = suiteCase.assertions.map(\.name).filter {
          (suiteCase.scoring.weights[$0] ?? 1) > 0
        }
        return !deciding.isEmpty && suiteCase.customAssertions.isEmpty
          && guardrails.isSuperset(of: deciding)
      }
  }

  /// Whether the suite can miss its gate although enough attempts pass.
  fileprivate var hasConditionsBesideRate: Bool {
    !gate.guardrails.isEmpty
      || metrics.contains { $0.record.minimum != nil || $0.record.maximum != nil }
  }

  /// Returns how the answers in the suite's first variant come about on a backend.
  fileprivate func sampling(on backend: String) -> SliceSampling {
    SliceSampling(
      record().effectiveSettings, variant: variants.first?.id ?? "",
      isStub: backend == BackendRecord.stub().id, honoursSeeds: true)
  }
}
