/// The storage format of a tensor's elements: blocks with a fixed number of elements and bytes.
enum TensorType: UInt32, Sendable, Hashable, CaseIterable {
  case f32 = 0
  case f16 = 1
  case q4_0 = 2
  case q4_1 = 3
  case q5_0 = 6
  case q5_1 = 7
  case q8_0 = 8
  case q2_k = 10
  case q3_k = 11
  case q4_k = 12
  case q5_k = 13
  case q6_k = 14
  case iq4_nl = 20
  case iq4_xs = 23
  case bf16 = 30

  /// The number of elements in a block.
  var blockLength: Int {
    switch self {
    case .f32, .f16, .bf16: 1
    case .q4_0, .q4_1, .q5_0, .q5_1, .q8_0, .iq4_nl: 32
    case .q2_k, .q3_k, .q4_k, .q5_k, .q6_k, .iq4_xs: 256
    }
  }

  /// The number of bytes in a block.
  var blockSize: Int {
    switch self {
    case .f32: 4
    case .f16, .bf16: 2
    case .q4_0, .iq4_nl: 18
    case .q4_1: 20
    case .q5_0: 22
    case .q5_1: 24
    case .q8_0: 34
    case .q2_k: 84
    case .q3_k: 110
    case .q4_k: 144
    case .q5_k: 176
    case .q6_k: 210
    case .iq4_xs: 136
    }
  }

  /// The type's usual name.
  var name: String { Self.names[rawValue] ?? "type \(rawValue)" }

  /// The names of all types in the format, including types that are not implemented here.
  static let names: [UInt32: String] = [
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1",
    10: "Q2_K", 11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 15: "Q8_K", 16: "IQ2_XXS",
    17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S",
    23: "IQ4_XS", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M", 30: "BF16",
    34: "TQ1_0", 35: "TQ2_0", 39: "MXFP4",
  ]
}
