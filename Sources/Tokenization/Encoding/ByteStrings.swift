/// Byte strings in memory that nobody writes: where they lie in a mapped file, or in a copy.
///
/// ```
/// base ──► │ gap │ string 0 │ gap │ string 1 │ …      in a GGUF file each gap holds a length
///          0     starts[0]        starts[1]       starts[count]
/// ```
///
/// So a vocabulary of a model file takes four bytes for each token beside the file.
public struct ByteStrings: @unchecked Sendable {
  // Unchecked: the memory is never written and lives as long as its owner.
  private let owner: AnyObject?
  private let base: UnsafePointer<UInt8>
  /// Where each string begins; one more, where the next one would.
  private let starts: [UInt32]
  /// The bytes before each string.
  private let gap: UInt32

  /// Creates a view of strings in memory.
  ///
  /// - Parameters:
  ///   - base: Where the gap before the first string begins.
  ///   - owner: Keeps the memory alive.
  ///   - starts: Where each string begins, counted from `base`, and where a string after the last
  ///     one would begin; ascending by at least `gap`.
  ///   - gap: The bytes before each string.
  package init(
    base: UnsafePointer<UInt8>, owner: AnyObject?, starts: [UInt32], gap: UInt32
  ) {
    precondition(!starts.isEmpty, "where the strings end")
    self.base = base
    self.owner = owner
    self.starts = starts
    self.gap = gap
  }

  /// Copies strings, together fewer than 2^32 bytes.
  public init(_ strings: some Sequence<[UInt8]>) {
    var bytes: [UInt8] = []
    var starts: [UInt32] = [0]
    for string in strings {
      bytes += string
      starts.append(UInt32(bytes.count))
    }
    let copy = Copy(bytes)
    self.init(base: UnsafePointer(copy.memory), owner: copy, starts: starts, gap: 0)
  }

  private final class Copy {
    let memory: UnsafeMutablePointer<UInt8>

    init(_ bytes: [UInt8]) {
      memory = .allocate(capacity: max(1, bytes.count))
      memory.initialize(from: bytes, count: bytes.count)
    }

    deinit { memory.deallocate() }
  }

  /// The number of strings.
  public var count: Int { starts.count - 1 }

  /// The bytes of all strings together, with their gaps.
  package var byteCount: Int { Int(starts[count] - starts[0]) }

  /// A string's bytes, valid as long as this value lives.
  package subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
    let start = starts[number]
    return UnsafeBufferPointer(
      start: base + Int(start), count: Int(starts[number + 1] - gap - start))
  }
}
