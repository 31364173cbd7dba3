/// Estimates, by simulation, the power with which the decision rule of `assay run` finds a drop in
/// the pass rate.
///
/// Both sides have the same number of repeats, so each attempt is paired with one on the other
/// side. In the baseline, each test case fails at its counted rate, limited to 2 % … 98 %; in the
/// candidate, each test case loses the same share of its passes. A suspected suite gets a second
/// look, as in a real run.
package struct RulePower: Sendable {
  /// The maximum number of repeats to try.
  package static let mostRepeats = 64

  /// The suite's test cases, repeats and failure rates.
  package var world: SimulatedWorld
  /// The number of simulated comparisons.
  package var trials: Int
  /// The desired power.
  package var power: Double

  /// Creates a simulation.
  ///
  /// - Parameters:
  ///   - world: The suite's test cases, repeats and failure rates; the number of suites is ignored.
  ///   - trials: The number of simulated comparisons.
  ///   - power: The desired power.
  package init(_ world: SimulatedWorld, trials: Int = 100, power: Double = 0.8) {
    self.world = world
    self.world.suites = 1
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
  /// - Parameter drop: The drop in the pass rate, from 0 to 1.
  package func chance(ofFinding drop: Double) -> Double {
    guard world.cases > 0, world.repeats > 0, drop > 0, passRate > 0 else { return 0 }
    let share = min(1, drop / passRate)
    return NightSimulation(world, change: .spread(share), trials: trials, seed: 7)
      .rates(.secondLook(times: 3)).found
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
  /// - Parameter drop: The drop in the pass rate, from 0 to 1.
  package func repeats(toFind drop: Double) -> Int? {
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
