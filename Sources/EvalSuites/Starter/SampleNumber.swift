import GuidedGeneration
import StructuredText

/// Creates sample numbers that a schema allows.
enum SampleNumber {
  /// Returns a sample integer: the smallest one from 1 upwards, or else the largest one below 1.
  ///
  /// Returns `nil` if no such integer is easy to find.
  static func sample(of integer: IntegerSchema) -> JSONNumber? {
    guard integer.wideMinimum == nil, integer.wideMaximum == nil else {
      return integer.wideMinimum ?? integer.wideMaximum
    }
    let (least, most) = (integer.minimum ?? .min, integer.maximum ?? .max)
    guard least <= most else { return nil }
    let wanted = min(max(1, least), most)
    guard let step = integer.multiple, step > 0 else { return JSONNumber(wanted) }
    let rest = wanted % step
    // The sums wrap only next to the limits of `Int`, and then the bounds exclude the result.
    let below = wanted &- (rest < 0 ? rest + step : rest)
    let multiples = rest == 0 ? [wanted] : [below &+ step, below]
    return multiples.first { least <= $0 && $0 <= most }.map { JSONNumber($0) }
  }

  /// Returns a sample number in or next to the bounds, or `nil` if none is easy to find.
  static func sample(of number: NumberSchema) -> JSONNumber? {
    var candidates = [number.minimum, number.maximum].compactMap(\.self)
    let (least, most) = (number.minimum?.double, number.maximum?.double)
    if let multiple = number.multiple?.double, multiple > 0 {
      let first = ((least ?? most ?? multiple) / multiple).rounded(.down)
      candidates += [0, 1, 2, -1].map { rounded((first + $0) * multiple) }
    } else if let least, let most {
      candidates.append(JSONNumber((least + most) / 2))
    } else {
      candidates.append(JSONNumber(least.map { $0 + 1 } ?? most.map { $0 - 1 } ?? 1))
    }
    let schema = GenerationSchema(root: .number(number), definitions: [])
    return candidates.first { schema.mismatch(of: .number($0)) == nil }
  }

  /// Returns a product without the error of its last binary digits: 0.3 for 3 × 0.1.
  private static func rounded(_ value: Double) -> JSONNumber {
    let short = (value * 1e9).rounded() / 1e9
    return JSONNumber(short.isFinite ? short : value)
  }
}
