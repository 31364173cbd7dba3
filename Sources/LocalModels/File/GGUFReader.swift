/// A cursor over a file's bytes that throws an error instead of reading past the end.
struct GGUFReader {
  let file: MappedFile
  var offset = 0
  /// The part of the file that is being read, for errors.
  var place = "the header"

  /// The number of bytes from the cursor to the end.
  var remaining: Int { file.bytes.count - offset }

  /// Returns an error for the part that is being read.
  func failure(
    _ problem: ModelFileError.Problem, allowed: String = "", at place: String? = nil
  ) -> ModelFileError {
    ModelFileError(
      file: file.path, place: place ?? "\(self.place), byte \(offset)", problem: problem,
      allowed: allowed)
  }

  /// Throws an error if fewer than `count` bytes are left.
  func require(_ count: UInt64) throws(ModelFileError) {
    guard count <= UInt64(remaining) else {
      throw failure(.truncated(needed: count, available: UInt64(remaining)))
    }
  }

  /// Reads a little-endian integer.
  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(ModelFileError) -> T {
    try require(UInt64(MemoryLayout<T>.size))
    let value = file.bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    offset += MemoryLayout<T>.size
    return T(littleEndian: value)
  }

  /// Reads the bytes of a string, which is stored as a 64-bit length followed by the bytes.
  mutating func string() throws(ModelFileError) -> [UInt8] {
    let length = try integer(UInt64.self)
    try require(length)
    let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: file.bytes[offset..<offset + Int(length)]))
    offset += Int(length)
    return bytes
  }

  /// Skips a string.
  mutating func skipString() throws(ModelFileError) {
    let length = try integer(UInt64.self)
    try require(length)
    offset += Int(length)
  }

  /// Reads a name, which is a string of at most 65,535 bytes in valid UTF-8.
  mutating func name() throws(ModelFileError) -> String {
    let start = offset
    let bytes = try string()
    guard bytes.count <= 65535, let name = String(validating: bytes, as: UTF8.self) else {
      offset = start
      throw failure(.invalid("a name of \(bytes.count) bytes"), allowed: "UTF-8, up to 65535 bytes")
    }
    return name
  }

  /// Reads a value's type.
  mutating func valueType() throws(ModelFileError) -> GGUFValueType {
    let number = try integer(UInt32.self)
    guard let type = GGUFValueType(rawValue: number) else {
      throw failure(.invalid("value type \(number)"), allowed: "0 to 12")
    }
    return type
  }

  /// Reads a value.
  ///
  /// For an array, the method skips the elements and stores only their offset.
  mutating func value(_ type: GGUFValueType) throws(ModelFileError) -> GGUFValue {
    switch type {
    case .uint8: return .unsigned(UInt64(try integer(UInt8.self)))
    case .int8: return .signed(Int64(try integer(Int8.self)))
    case .uint16: return .unsigned(UInt64(try integer(UInt16.self)))
    case .int16: return .signed(Int64(try integer(Int16.self)))
    case .uint32: return .unsigned(UInt64(try integer(UInt32.self)))
    case .int32: return .signed(Int64(try integer(Int32.self)))
    case .uint64: return .unsigned(try integer(UInt64.self))
    case .int64: return .signed(try integer(Int64.self))
    case .float32: return .float(Double(Float(bitPattern: try integer(UInt32.self))))
    case .float64: return .float(Double(bitPattern: try integer(UInt64.self)))
    case .bool:
      let byte = try integer(UInt8.self)
      guard byte <= 1 else { throw failure(.invalid("boolean \(byte)"), allowed: "0 or 1") }
      return .boolean(byte == 1)
    case .string: return .string(try string())
    case .array: return .array(try array())
    }
  }

  private mutating func array() throws(ModelFileError) -> GGUFArray {
    let type = try valueType()
    guard type != .array else { throw failure(.unsupported("an array of arrays")) }
    let count = try integer(UInt64.self)
    // Divide instead of multiplying, because the product could overflow for a huge count.
    guard count <= UInt64(remaining) / type.leastSize else {
      let (needed, overflow) = count.multipliedReportingOverflow(by: type.leastSize)
      throw failure(
        .truncated(needed: overflow ? .max : needed, available: UInt64(remaining)))
    }
    let array = GGUFArray(elementType: type, count: Int(count), offset: offset)
    if type == .string {
      for _ in 0..<count { try skipString() }
    } else {
      offset += Int(count * type.leastSize)
    }
    return array
  }
}
