/// Encodes floats in the types of GGUF tensors, following the format's description.
enum StoredNumbers {
  /// Returns the bytes, and the numbers that they represent.
  static func encode(_ values: [Float], type: UInt32) -> (data: [UInt8], rounded: [Double]) {
    switch type {
    case 1:
      let halves = values.map(half)
      return (halves.flatMap { GGUFWriter.bytes($0) }, halves.map(fromHalf))
    case 8: return q8_0(values)
    case 30:
      let bits = values.map { UInt16(($0.bitPattern &+ 0x8000) >> 16) }
      return (
        bits.flatMap { GGUFWriter.bytes($0) },
        bits.map { Double(Float(bitPattern: UInt32($0) << 16)) }
      )
    default:
      return (values.flatMap { GGUFWriter.bytes($0.bitPattern) }, values.map(Double.init))
    }
  }

  private static func q8_0(_ values: [Float]) -> (data: [UInt8], rounded: [Double]) {
    var data: [UInt8] = []
    var rounded: [Double] = []
    for start in stride(from: 0, to: values.count, by: 32) {
      let block = values[start..<start + 32]
      let scale = half((block.map(abs).max() ?? 0) / 127)
      let step = fromHalf(scale)
      data += GGUFWriter.bytes(scale)
      for value in block {
        let quotient = step == 0 ? 0 : (Double(value) / step).rounded()
        let number = Int8(max(-127, min(127, quotient)))
        data.append(UInt8(bitPattern: number))
        rounded.append(Double(number) * step)
      }
    }
    return (data, rounded)
  }

  /// Returns the nearest half-precision float of a number that isn't too large for the type.
  static func half(_ value: Float) -> UInt16 {
    let magnitude = Double(abs(value))
    guard magnitude > 0 else { return 0 }
    var exponent = 0
    var scaled = magnitude
    while scaled >= 2 { (scaled, exponent) = (scaled / 2, exponent + 1) }
    while scaled < 1, exponent > -14 { (scaled, exponent) = (scaled * 2, exponent - 1) }
    var bits = Int(((scaled >= 1 ? scaled - 1 : scaled) * 1024).rounded(.toNearestOrEven))
    bits += scaled >= 1 ? (exponent + 15) << 10 : 0
    return UInt16(bits) | (value < 0 ? 0x8000 : 0)
  }

  static func fromHalf(_ bits: UInt16) -> Double {
    let fraction = Double(bits & 0x3FF) / 1024
    let exponent = Int(bits >> 10 & 0x1F)
    var value = exponent == 0 ? fraction : 1 + fraction
    for _ in 0..<abs(max(exponent, 1) - 15) { value = exponent >= 15 ? value * 2 : value / 2 }
    return bits & 0x8000 == 0 ? value : -value
  }
}
