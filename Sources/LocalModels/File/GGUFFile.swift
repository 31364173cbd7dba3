/// A GGUF file of version 2 or 3: metadata and tensors, mapped into memory.
///
/// ```
/// "GGUF" │ version │ tensor count │ value count │ key, type, value … │ name, shape, type, offset …
///        └ header ──────────────────────────────┘└ metadata ─────────┘└ tensor table ────────────
/// … padding to the alignment │ tensor data, each tensor at an aligned offset
/// ```
///
/// The file is untrusted. This type checks every length, offset, alignment, dimension and type
/// number, so other code can trust `tensors`. Memory use is proportional to the size of the
/// metadata and the tensor table.
///
/// `docs/gguf.md` of ggml describes the format.
struct GGUFFile: Sendable {
  /// The mapped bytes.
  let file: MappedFile
  /// The metadata values, by key.
  let metadata: [String: GGUFValue]
  /// The tensors, by name.
  let tensors: [String: GGUFTensor]

  /// Opens and checks a file.
  init(path: String) throws(ModelFileError) {
    file = try MappedFile(path: path)
    var reader = GGUFReader(file: file)
    let (tensorCount, valueCount) = try Self.header(&reader)
    metadata = try Self.metadata(&reader, count: valueCount)
    tensors = try Self.tensors(
      &reader, count: tensorCount, alignment: try Self.alignment(metadata, reader))
  }

  private static func header(
    _ reader: inout GGUFReader
  ) throws(ModelFileError) -> (tensors: UInt64, values: UInt64) {
    try reader.require(24)
    let magic = try reader.integer(UInt32.self)
    guard magic == 0x4655_4747 else {
      throw reader.failure(
        .invalid("the beginning"), allowed: "a GGUF file starts with the letters GGUF",
        at: "byte 0")
    }
    let version = try reader.integer(UInt32.self)
    guard version == 2 || version == 3 else {
      let bigEndian = (1...3).contains(version.byteSwapped)
      throw reader.failure(
        .unsupported(bigEndian ? "a big-endian file" : "version \(version)"),
        allowed: "versions 2 and 3, little-endian", at: "the version, byte 4")
    }
    return (try reader.integer(UInt64.self), try reader.integer(UInt64.self))
  }

  private static func metadata(
    _ reader: inout GGUFReader, count: UInt64
  ) throws(ModelFileError) -> [String: GGUFValue] {
    // A value takes at least 13 bytes. Before reading any values, reject a count that can't fit.
    guard count <= UInt64(reader.remaining) / 13 else {
      throw reader.failure(
        .invalid("a count of \(count) metadata values"), allowed: "a count that fits into the file")
    }
    var metadata: [String: GGUFValue] = [:]
    for number in 0..<count {
      reader.place = "metadata value \(number)"
      let key = try reader.name()
      reader.place = key
      let type = try reader.valueType()
      guard metadata.updateValue(try reader.value(type), forKey: key) == nil else {
        throw reader.failure(.invalid("a second value for this key"), at: key)
      }
    }
    return metadata
  }

  private static func alignment(
    _ metadata: [String: GGUFValue], _ reader: GGUFReader
  ) throws(ModelFileError) -> Int {
    guard let value = metadata["general.alignment"] else { return 32 }
    guard let alignment = value.integer, (8...65536).contains(alignment),
      alignment & (alignment - 1) == 0
    else {
      throw reader.failure(
        .invalid(value.integer.map(String.init) ?? value.kind),
        allowed: "a power of two from 8 to 65536", at: "general.alignment")
    }
    return alignment
  }

  private static func tensors(
    _ reader: inout GGUFReader, count: UInt64, alignment: Int
  ) throws(ModelFileError) -> [String: GGUFTensor] {
    reader.place = "the tensor table"
    guard count <= UInt64(reader.remaining) / 32 else {
      throw reader.failure(
        .invalid("a count of \(count) tensors"), allowed: "a count that fits into the file")
    }
    var table: [GGUFTensor] = []
    var names: Set<String> = []
    for number in 0..<count {
      reader.place = "tensor \(number)"
      let tensor = try Self.tensor(&reader, alignment: alignment)
      guard names.insert(tensor.name).inserted else {
        throw reader.failure(.invalid("a second tensor of this name"), at: tensor.name)
      }
      table.append(tensor)
    }
    let start = (reader.offset + alignment - 1) / alignment * alignment
    var tensors: [String: GGUFTensor] = [:]
    for var tensor in table {
      let available = max(0, reader.file.bytes.count - start)
      let (end, overflow) = tensor.offset.addingReportingOverflow(tensor.byteCount)
      guard !overflow, end <= available else {
        throw reader.failure(
          .truncated(
            needed: overflow ? .max : UInt64(end), available: UInt64(available)), at: tensor.name)
      }
      tensor.offset += start
      tensors[tensor.name] = tensor
    }
    return tensors
  }

  /// Reads an entry of the tensor table.
  ///
  /// The offset in the result is still relative to the data section.
  private static func tensor(
    _ reader: inout GGUFReader, alignment: Int
  ) throws(ModelFileError) -> GGUFTensor {
    let name = try reader.name()
    reader.place = name
    let count = try reader.integer(UInt32.self)
    guard (1...4).contains(count) else {
      throw reader.failure(.invalid("\(count) dimensions"), allowed: "1 to 4")
    }
    var dimensions: [Int] = []
    var elements = 1
    for _ in 0..<count {
      let number = try reader.integer(UInt64.self)
      // The kernels use 32-bit lengths.
      guard let length = Int32(exactly: number), length > 0 else {
        throw reader.failure(.invalid("a dimension of \(number)"), allowed: "1 to \(Int32.max)")
      }
      let (product, overflow) = elements.multipliedReportingOverflow(by: Int(length))
      guard !overflow else {
        throw reader.failure(.invalid("the number of elements"), allowed: "below 2^63")
      }
      elements = product
      dimensions.append(Int(length))
    }
    let number = try reader.integer(UInt32.self)
    guard let type = TensorType(rawValue: number) else {
      let supported = TensorType.allCases.map(\.name).joined(separator: ", ")
      guard let known = TensorType.names[number] else {
        throw reader.failure(.invalid("tensor type \(number)"), allowed: supported)
      }
      throw reader.failure(.unsupported("tensor type \(known)"), allowed: supported)
    }
    guard dimensions[0] % type.blockLength == 0 else {
      throw reader.failure(
        .invalid("a row of \(dimensions[0])"),
        allowed: "multiples of \(type.blockLength) for \(type.name)")
    }
    let (size, overflow) = (elements / type.blockLength)
      .multipliedReportingOverflow(by: type.blockSize)
    guard !overflow else {
      throw reader.failure(.invalid("the number of bytes"), allowed: "below 2^63")
    }
    let offset = try reader.integer(UInt64.self)
    guard let offset = Int(exactly: offset), offset % alignment == 0 else {
      throw reader.failure(.invalid("offset \(offset)"), allowed: "multiples of \(alignment)")
    }
    return GGUFTensor(
      name: name, type: type, dimensions: dimensions, offset: offset, byteCount: size)
  }
}
