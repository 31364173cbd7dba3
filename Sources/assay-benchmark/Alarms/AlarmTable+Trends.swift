import EvalStatistics

extension AlarmTable {
  /// Returns how often the dashboard's trends claim a change: in series without one, and after a
  /// fall of the pass rate.
  static func trends(_ trials: Int) -> Section {
    let sizes = [(20, 1), (20, 3), (50, 1), (50, 3), (100, 3)]
    return Section(
      id: "trends",
      title: "The dashboard's trends, looked at every morning; 85 % pass before the change",
      trials: trials,
      columns: [
        "test cases × draws a night",
        "40 unchanged nights: a change of the suite on any night",
        "40 unchanged nights: a change of any test case on any night",
        "a fall of 10 points, named within 5 nights",
        "within 20 nights",
        "a fall of 20 points, named within 5 nights",
        "within 20 nights",
        "a fall of 40 points, named within 5 nights",
      ],
      rows: rows(
        sizes.map { cases, repeats in
          {
            let simulation = TrendSimulation(cases: cases, repeats: repeats, trials: trials)
            let falls = [0.1, 0.2, 0.4].map { simulation.delays(fall: $0) }
            // Searching every test case takes much longer.
            let own = TrendSimulation(
              cases: cases, repeats: repeats, trials: max(1, trials / 5))
            func share(_ claims: Int, of trials: Int) -> Cell {
              .number(Double(claims) / Double(trials), digits: 3)
            }
            return [
              .text("\(cases) × \(repeats)"), share(simulation.falseClaims(), of: trials),
              share(own.falseClaimsOfCases(), of: own.trials),
              .number(falls[0].share(within: 5), digits: 2),
              .number(falls[0].share(within: 20), digits: 2),
              .number(falls[1].share(within: 5), digits: 2),
              .number(falls[1].share(within: 20), digits: 2),
              .number(falls[2].share(within: 5), digits: 2),
            ]
          }
        }))
  }
}
