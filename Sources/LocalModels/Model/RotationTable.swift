import Foundation

/// Cosines and sines of the rotary position embedding: one row for each position.
///
/// The angle of pair j at position p is p · base^(−2j/n) / (factor_j · scale).
///
/// Source: Su et al., RoFormer, 2021.
struct RotationTable: Sendable {
  /// The number of pairs.
  let pairs: Int
  let cosines: [Float]
  let sines: [Float]

  init(_ shape: LlamaConfiguration, factors: WeightVector?, positions: Int) {
    let pairs = shape.rotatedLength / 2
    let frequencies = (0..<pairs).map { pair in
      pow(shape.rotationBase, -2 * Double(pair) / Double(shape.rotatedLength))
        / shape.rotationScale / (factors.map { Double($0.data[pair]) } ?? 1)
    }
    var cosines: [Float] = []
    var sines: [Float] = []
    cosines.reserveCapacity(positions * pairs)
    sines.reserveCapacity(positions * pairs)
    for position in 0..<positions {
      for frequency in frequencies {
        cosines.append(Float(cos(Double(position) * frequency)))
        sines.append(Float(sin(Double(position) * frequency)))
      }
    }
    self.pairs = pairs
    self.cosines = cosines
    self.sines = sines
  }
}
