import Tokenization

// Reads metadata by key and type. Errors contain the key.
extension GGUFFile {
  /// Returns an error for a key or tensor.
  func failure(
    _ place: String, _ problem: ModelFileError.Problem, allowed: String = ""
  ) -> ModelFileError {
    ModelFileError(file: file.path, place: place, problem: problem, allowed: allowed)
  }

  /// Reads an integer within bounds, or returns `nil` if the key is absent.
  func integer(
    _ key: String, in range: ClosedRange<Int>
  ) throws(ModelFileError) -> Int? {
    guard let value = metadata[key] else { return nil }
    guard let integer = value.integer else {
      throw failure(key, .invalid(value.kind), allowed: "an integer")
    }
    guard range.contains(integer) else {
      throw failure(
        key, .invalid("\(integer)"), allowed: "\(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// Reads a finite number within bounds, or returns `nil` if the key is absent.
  func number(
    _ key: String, in range: ClosedRange<Double>
  ) throws(ModelFileError) -> Double? {
    guard let value = metadata[key] else { return nil }
    guard let number = value.number else {
      throw failure(key, .invalid(value.kind), allowed: "a number")
    }
    guard range.contains(number) else {
      throw failure(
        key, .invalid("\(number)"), allowed: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Reads a string, or returns `nil` if the key is absent.
  ///
  /// The method replaces invalid UTF-8 with U+FFFD.
  func string(_ key: String) throws(ModelFileError) -> String? {
    guard let value = metadata[key] else { return nil }
    guard case .string(let bytes) = value else {
      throw failure(key, .invalid(value.kind), allowed: "a string")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a Boolean, or returns `nil` if the key is absent.
  func boolean(_ key: String) throws(ModelFileError) -> Bool? {
    guard let value = metadata[key] else { return nil }
    guard case .boolean(let boolean) = value else {
      throw failure(key, .invalid(value.kind), allowed: "a boolean")
    }
    return boolean
  }

  /// Reads an array of strings without copying them, or returns `nil` if the key is absent.
  func strings(_ key: String) throws(ModelFileError) -> ByteStrings? {
    guard let value = metadata[key] else { return nil }
    guard case .array(let array) = value, array.elementType == .string,
      let base = file.bytes.baseAddress
    else { throw failure(key, .invalid(value.kind), allowed: "an array of strings") }
    // Each string is an 8-byte length, followed by the string's bytes.
    var reader = GGUFReader(file: file)
    reader.offset = array.offset
    reader.place = key
    var starts: [UInt32] = []
    starts.reserveCapacity(array.count + 1)
    for number in 0...array.count {
      guard let start = UInt32(exactly: reader.offset + 8 - array.offset) else {
        throw failure(
          "\(key)[\(number)]", .invalid("a string past 4 GiB"), allowed: "at most 4 GiB of strings")
      }
      starts.append(start)
      if number < array.count { try reader.skipString() }
    }
    return ByteStrings(
      base: (base + array.offset).assumingMemoryBound(to: UInt8.self), owner: file,
      starts: starts, gap: 8)
  }

  /// Reads an array of Booleans, or returns `nil` if the key is absent.
  func booleans(_ key: String) throws(ModelFileError) -> [Bool]? {
    guard let value = metadata[key] else { return nil }
    guard case .array(let array) = value, array.elementType == .bool else {
      throw failure(key, .invalid(value.kind), allowed: "an array of booleans")
    }
    var reader = GGUFReader(file: file)
    reader.offset = array.offset
    reader.place = key
    var booleans: [Bool] = []
    for _ in 0..<array.count {
      if case .boolean(let boolean) = try reader.value(.bool) { booleans.append(boolean) }
    }
    return booleans
  }

  /// Reads an array of numbers, or returns `nil` if the key is absent.
  ///
  /// - Parameter convert: A closure that receives a number's index and the number. It returns the
  ///   converted number, or `nil` if the number is invalid.
  /// - Throws: `ModelFileError` if the value isn't an array of numbers, or if `convert` returns
  ///   `nil`.
  func numbers<T>(
    _ key: String, allowed: String = "", _ convert: (Int, Double) -> T?
  ) throws(ModelFileError) -> [T]? {
    guard let value = metadata[key] else { return nil }
    guard case .array(let array) = value else {
      throw failure(key, .invalid(value.kind), allowed: "an array of numbers")
    }
    var numbers: [T] = []
    numbers.reserveCapacity(array.count)
    for index in 0..<array.count {
      guard let number = array.number(at: index, in: file.bytes) else {
        throw failure(key, .invalid(value.kind), allowed: "an array of numbers")
      }
      guard let converted = convert(index, number) else {
        throw failure("\(key)[\(index)]", .invalid("\(number)"), allowed: allowed)
      }
      numbers.append(converted)
    }
    return numbers
  }
}
