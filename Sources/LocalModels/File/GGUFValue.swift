/// A metadata value of a GGUF file.
///
/// The types follow the GGUF specification, `docs/gguf.md` of ggml.
enum GGUFValue: Sendable, Hashable {
  case unsigned(UInt64)
  case signed(Int64)
  case float(Double)
  case boolean(Bool)
  case string([UInt8])
  case array(GGUFArray)

  /// The value as an integer, if it is one.
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

  /// A description of the value's kind.
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

/// The types of metadata values.
///
/// The raw values are their numbers in the format.
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

  /// The minimum number of bytes that a value takes.
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

/// An array in the metadata, stored as the offset of its elements in the file.
///
/// `number(at:in:)` decodes an element when it is needed.
struct GGUFArray: Sendable, Hashable {
  /// The type of all elements, which is never an array.
  var elementType: GGUFValueType
  /// The number of elements.
  ///
  /// All elements are inside the file.
  var count: Int
  /// The offset of the first element.
  var offset: Int

  /// Returns an element as a number, or `nil` if the elements are not numbers.
  ///
  /// - Parameters:
  ///   - index: The index of the element, below `count`.
  ///   - bytes: The bytes of the file.
  func number(at index: Int, in bytes: UnsafeRawBufferPointer) -> Double? {
    func element<T: FixedWidthInteger>(_ type: T.Type) -> T {
      T(
        littleEndian: bytes.loadUnaligned(
          fromByteOffset: offset + index * MemoryLayout<T>.size, as: T.self))
    }
    switch elementType {
    case .uint8: return Double(element(UInt8.self))
    case .int8: return Double(element(Int8.self))
    case .uint16: return Double(element(UInt16.self))
    case .int16: return Double(element(Int16.self))
    case .uint32: return Double(element(UInt32.self))
    case .int32: return Double(element(Int32.self))
    case .uint64: return Double(element(UInt64.self))
    case .int64: return Double(element(Int64.self))
    case .float32: return Double(Float(bitPattern: element(UInt32.self)))
    case .float64: return Double(bitPattern: element(UInt64.self))
    case .bool, .string, .array: return nil
    }
  }
}

/// A tensor as the file's tensor table describes it.
///
/// All of its bytes are inside the file.
struct GGUFTensor: Sendable, Hashable {
  /// The name of the tensor.
  var name: String
  /// The storage format of the elements.
  var type: TensorType
  /// The lengths of the one to four dimensions; the first is the length of a row.
  ///
  /// Each is at least 1.
  var dimensions: [Int]
  /// The offset of the first byte in the file.
  var offset: Int
  /// The number of bytes that the tensor takes up.
  var byteCount: Int

  /// The length of one row.
  var columns: Int { dimensions[0] }
  /// The number of rows.
  var rows: Int { dimensions.dropFirst().reduce(1, *) }
}
