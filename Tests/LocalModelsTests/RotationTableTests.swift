import Foundation
import TestSupport
import Testing

@testable import LocalModels

@Suite("Rotations")
struct RotationTableTests {
  @Test("sine and cosine agree with the C library within 3e-16")
  func sineAndCosine() {
    var random = SeededGenerator(seed: 4)
    var worst = 0.0
    for _ in 0..<20_000 {
      let angle = Double(random.signed()) * [1, 100, 8192, 131072][random.below(4)]
      let (sine, cosine) = RotationTable.sineAndCosine(angle)
      worst = max(worst, abs(sine - sin(angle)), abs(cosine - cos(angle)))
    }
    #expect(worst < 3e-16)
    #expect(RotationTable.sineAndCosine(0) == (0, 1))
    #expect(RotationTable.sineAndCosine(.infinity).sine.isNaN)
  }

  @Test(
    "roots agree with the C library to a relative error of 1e-15",
    arguments: [1.0, 10000, 500_000, 1e6, 1e12])
  func roots(_ base: Double) {
    for degree in [1, 2, 16, 32, 64, 2048] {
      let root = RotationTable.root(1 / base, degree)
      #expect(abs(root / pow(base, -1 / Double(degree)) - 1) < 1e-15)
    }
  }

  @Test("logarithms agree with the C library to a relative error of 4e-16")
  func logarithms() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let x = pow(10, Double(random.signed()) * 12)
      #expect(abs(Logarithm.natural(x) - log(x)) <= 4e-16 * max(1, abs(log(x))))
    }
    #expect(Logarithm.natural(1) == 0)
    #expect(Logarithm.natural(0).isNaN)
  }
}
