/// A metadata value of a GGUF file.
///
/// Source: the GGUF specification, `docs/gguf.md` of ggml.
enum GGUFValue: Sendable, Hashable {
  case unsigned(UInt64)
  case signed(Int64)
  case float(Double)
  case boolean(Bool)
  case string([UInt8])
  case array(GGUFArray)

  /// The value as a whole number, if it is one.
  var integer: Int? {
    switch self {
    case .unsigned(let value): Int(exactly: value)
    case .signed(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value as a number, if it is one.
  var number: Double? {
    switch self {
    case .float(let value): value
    case .unsigned(let value): Double(value)
    case .signed(let value): Double(value)
    default: nil
    }
  }

  /// What the value is, in words.
  var kind: String {
    switch self {
    case .unsigned, .signed: "an integer"
    case .float: "a number"
    case .boolean: "a boolean"
    case .string: "a string"
    case .array(let array): "an array of \(array.elementType)"
    }
  }
}

/// The types of metadata values, by their numbers in the format.
enum GGUFValueType: UInt32, Sendable, Hashable {
  case uint8 = 0
  case int8 = 1
  case uint16 = 2
  case int16 = 3
  case uint32 = 4
  case int32 = 5
  case float32 = 6
  case bool = 7
  case string = 8
  case array = 9
  case uint64 = 10
  case int64 = 11
  case float64 = 12

  /// The bytes that a value takes at least.
  var leastSize: UInt64 {
    switch self {
    case .uint8, .int8, .bool: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32: 4
    case .string, .uint64, .int64, .float64: 8
    case .array: 12
    }
  }
}

/// An array in the metadata: where it lies, so that only arrays that are asked for are decoded.
struct GGUFArray: Sendable, Hashable {
  /// The type of all elements; never an array.
  var elementType: GGUFValueType
  /// The number of elements, all of which lie inside the file.
  var count: Int
  /// The offset of the first element.
  var offset: Int
}

/// A tensor as the file's header describes it, checked against the file's size.
struct GGUFTensor: Sendable, Hashable {
  /// The name.
  var name: String
  /// How the elements are stored.
  var type: TensorType
  /// The lengths of one to four dimensions, the fastest first; each at least one.
  var dimensions: [Int]
  /// The offset of the first byte in the file.
  var offset: Int
  /// The number of bytes.
  var byteCount: Int

  /// The length of one row.
  var columns: Int { dimensions[0] }
  /// The number of rows.
  var rows: Int { dimensions.dropFirst().reduce(1, *) }
}
