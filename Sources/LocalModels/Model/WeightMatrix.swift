import CKernels

/// A matrix in the mapped file, in the form that the kernels read.
struct WeightMatrix: @unchecked Sendable {
  // Unchecked, because the memory is never written and lives as long as the file, which the model
  // retains.
  let data: UnsafeRawPointer
  let type: TensorType
  let columns: Int
  let rows: Int

  /// The kernels' number for the type.
  var kernelType: ck_type { ck_type(rawValue: type.rawValue) }

  /// Whether products with the matrix take 8-bit activations instead of floats.
  var takesQuantized: Bool { ck_takes_quantized(kernelType) != 0 }

  /// The size of a row in bytes.
  var rowSize: Int { columns / type.blockLength * type.blockSize }

  /// Splits the matrix into consecutive matrices with the given numbers of rows.
  func split(rows counts: [Int]) -> [WeightMatrix] {
    var start = 0
    return counts.map { count in
      defer { start += count }
      return WeightMatrix(
        data: data + start * rowSize, type: type, columns: columns, rows: count)
    }
  }

  /// Converts one row to floats.
  func dequantize(
    row: Int, _ buffers: RoundingBuffers, into floats: UnsafeMutablePointer<Float>
  ) {
    let scratch = buffers.rows[0]
    scratch.quants.withMemoryRebound(to: Int8.self, capacity: columns) { quants in
      ck_dequantize(kernelType, data + row * rowSize, columns, quants, scratch.scales, floats)
    }
  }
}

/// A vector of floats in the mapped file: a norm's weights or a bias.
struct WeightVector: @unchecked Sendable {
  // Unchecked for the same reason as `WeightMatrix`.
  let data: UnsafePointer<Float>
  let count: Int
}

extension GGUFFile {
  /// Returns the matrix with the given name, which must have the given shape.
  func matrix(
    _ name: String, columns: Int, rows: Int
  ) throws(ModelFileError) -> WeightMatrix {
    guard let matrix = try optionalMatrix(name, columns: columns, rows: rows) else {
      throw failure(name, .missing)
    }
    return matrix
  }

  /// Returns the matrix with the given name, which must have the given shape, or `nil` if no matrix
  /// has the name.
  func optionalMatrix(
    _ name: String, columns: Int, rows: Int
  ) throws(ModelFileError) -> WeightMatrix? {
    guard let tensor = tensors[name] else { return nil }
    guard tensor.dimensions.count <= 2, tensor.columns == columns, tensor.rows == rows else {
      throw shapeFailure(tensor, expected: [columns, rows])
    }
    guard let base = file.bytes.baseAddress else { throw failure(name, .missing) }
    return WeightMatrix(
      data: base + tensor.offset, type: tensor.type, columns: columns, rows: rows)
  }

  /// Returns the vector with the given name, which must have the given length.
  func vector(_ name: String, count: Int) throws(ModelFileError) -> WeightVector {
    guard let vector = try optionalVector(name, count: count) else {
      throw failure(name, .missing)
    }
    return vector
  }

  /// Returns the vector with the given name, which must have the given length, or `nil` if no
  /// vector has the name.
  func optionalVector(_ name: String, count: Int) throws(ModelFileError) -> WeightVector? {
    guard let tensor = tensors[name] else { return nil }
    guard tensor.columns == count, tensor.rows == 1 else {
      throw shapeFailure(tensor, expected: [count])
    }
    guard tensor.type == .f32 else {
      throw failure(name, .unsupported("type \(tensor.type.name) for a vector"), allowed: "F32")
    }
    guard let base = file.bytes.baseAddress else { throw failure(name, .missing) }
    // The data starts at a multiple of 8 in page-aligned memory, so the floats are aligned.
    return WeightVector(
      data: (base + tensor.offset).assumingMemoryBound(to: Float.self), count: count)
  }

  private func shapeFailure(_ tensor: GGUFTensor, expected: [Int]) -> ModelFileError {
    func words(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: " × ") }
    return failure(
      tensor.name, .invalid("the shape \(words(tensor.dimensions))"), allowed: words(expected))
  }
}
