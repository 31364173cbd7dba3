import EvalStatistics
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("The room of an acknowledged value")
struct DrawnSliceTests {
  /// The probabilities of all results of a number of draws, by repeated convolution.
  private func distribution(_ rate: Double, _ draws: Int) -> [Double] {
    var result = [1.0]
    for _ in 0..<draws {
      var next = [Double](repeating: 0, count: result.count + 1)
      for (hits, probability) in result.enumerated() {
        next[hits] += probability * (1 - rate)
        next[hits + 1] += probability * rate
      }
      result = next
    }
    return result
  }

  @Test(
    "if nothing changes, about one of 100 nights exceeds the limit",
    arguments: [20, 40, 60, 240], [0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98])
  func checkError(draws: Int, rate: Double) {
    let nights = distribution(rate, draws)
    var error = 0.0
    for (hits, probability) in nights.enumerated() {
      let value = Double(hits) / Double(draws)
      let limit = value - DrawnSlice.room(value, draws: draws) - 0.01
      for (later, other) in nights.enumerated() where Double(later) / Double(draws) < limit {
        error += probability * other
      }
    }
    #expect(error < 0.02)
  }

  @Test(
    "the room is 2.33 standard errors of the difference of two nights, with two more draws of each",
    arguments: [(0.5, 60, 0.21270), (0.6, 60, 0.20893), (1.0, 60, 0.07402), (0.0, 60, 0.07402)])
  func checkRoom(rate: Double, draws: Int, room: Double) {
    #expect(abs(DrawnSlice.room(rate, draws: draws) - room) < 0.0001)
  }
}
