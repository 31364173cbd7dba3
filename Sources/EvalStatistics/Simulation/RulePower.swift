/// Estimates, by simulation, the power with which the decision rule of `assay run` finds a drop in
/// the pass rate.
///
/// Both sides have the same number of repeats, so each attempt is paired with one on the other
/// side. In the baseline, each test case fails at its counted rate, limited to 2 % … 98 %; in the
/// candidate, each test case loses the same share of its passes.
///
/// The other suites of the night are like this one, but nothing changed in them. If their answers
/// can differ from the baseline's, they share α with this suite. On an engine that repeats its
/// answers for equal seeds, they don't, because no result of their tests could be significant.
package struct RulePower: Sendable {
  /// The maximum number of repeats to try.
  package static let mostRepeats = 64
  /// The number of simulated comparisons for each estimate, unless the user sets it.
  package static let usualTrials = 400

  /// The suites of the night.
  package var world: SimulatedWorld
  /// Whether nothing is sampled, so that all repeats of a test case are one draw, and there is no
  /// second look.
  package let samplesNothing: Bool
  /// The number of simulated comparisons.
  package var trials: Int
  /// The desired power.
  package var power: Double

  /// Creates a simulation.
  ///
  /// - Parameters:
  ///   - world: The suite's test cases, repeats and failure rates, and the number of suites of the
  ///     night.
  ///   - samplesNothing: Whether nothing is sampled.
  ///   - trials: The number of simulated comparisons.
  ///   - power: The desired power.
  package init(
    _ world: SimulatedWorld, samplesNothing: Bool = false, trials: Int = Self.usualTrials,
    power: Double = 0.8
  ) {
    self.world = world
    if samplesNothing { self.world.repeats = 1 }
    if samplesNothing || world.engine != .unpaired { self.world.suites = 1 }
    self.samplesNothing = samplesNothing
    self.trials = trials
    self.power = power
  }

  /// The mean pass rate of the baseline's attempts.
  package var passRate: Double {
    guard !world.rates.isEmpty else { return 1 }
    return 1 - world.rates.reduce(0, +) / Double(world.rates.count)
  }

  /// Returns the power: the probability of finding a drop.
  ///
  /// - Parameters:
  ///   - drop: The drop in the pass rate, from 0 to 1.
  ///   - looksTwice: Whether a suspected suite gets a second look, as it does after an edit of its
  ///     requests.
  package func chance(ofFinding drop: Double, looksTwice: Bool = true) -> Double {
    guard world.cases > 0, world.repeats > 0, drop > 0, passRate > 0 else { return 0 }
    let share = min(1, drop / passRate)
    return NightSimulation(world, change: .spread(share), trials: trials, seed: 7)
      .rates(looksTwice && !samplesNothing ? .secondLook : .night).found
  }

  /// Returns the distance from a simulated probability within which the true probability lies with
  /// 95 % confidence.
  package func simulationError(of chance: Double) -> Double {
    let interval = ProportionInterval.wilson(
      hits: Int((chance * Double(trials)).rounded()), count: trials)
    return max(interval.high - chance, chance - interval.low)
  }

  /// The smallest drop that is found with the desired power, to within one percentage point, or
  /// `nil` if not even the loss of all passes is found.
  package var smallestDrop: Double? {
    guard chance(ofFinding: passRate) >= power else { return nil }
    var (missed, found) = (0, Int((100 * passRate).rounded(.up)))
    while found - missed > 1 {
      let middle = (missed + found) / 2
      if chance(ofFinding: Double(middle) / 100) >= power {
        found = middle
      } else {
        missed = middle
      }
    }
    return min(passRate, Double(found) / 100)
  }

  /// Returns the minimum number of repeats per test case at which a drop is found with the desired
  /// power, or `nil` if even ``mostRepeats`` repeats are not enough.
  ///
  /// If nothing is sampled, more than one repeat adds nothing.
  ///
  /// - Parameter drop: The drop in the pass rate, from 0 to 1.
  package func repeats(toFind drop: Double) -> Int? {
    if samplesNothing { return chance(ofFinding: drop) >= power ? 1 : nil }
    var plan = self
    func reaches(_ repeats: Int) -> Bool {
      plan.world.repeats = repeats
      return plan.chance(ofFinding: drop) >= power
    }
    var (missed, found) = (0, 1)
    while !reaches(found) {
      guard found < Self.mostRepeats else { return nil }
      (missed, found) = (found, min(Self.mostRepeats, found * 2))
    }
    while found - missed > 1 {
      let middle = (missed + found) / 2
      if reaches(middle) { found = middle } else { missed = middle }
    }
    return found
  }
}
