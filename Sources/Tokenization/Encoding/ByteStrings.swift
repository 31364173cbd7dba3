/// Immutable byte strings in memory, either inside a mapped file or in a copy.
///
/// ```
/// base ──► │ gap │ string 0 │ gap │ string 1 │ …      in a GGUF file each gap holds a length
///          0     starts[0]        starts[1]       starts[count]
/// ```
///
/// Only the starts need extra memory: four bytes for each token of a mapped model file.
public struct ByteStrings: @unchecked Sendable {
  // Unchecked: the memory is never written and lives as long as its owner.
  private let owner: AnyObject?
  private let base: UnsafePointer<UInt8>
  /// The start of each string, followed by the position where one more string would start.
  private let starts: [UInt32]
  /// The number of bytes before each string.
  private let gap: UInt32

  /// Creates a view of strings in memory.
  ///
  /// - Parameters:
  ///   - base: The start of the gap before the first string.
  ///   - owner: An object that keeps the memory alive.
  ///   - starts: The start of each string relative to `base`, followed by the position where one
  ///     more string would start. Each start is at least `gap` larger than the previous one.
  ///   - gap: The number of bytes before each string.
  package init(
    base: UnsafePointer<UInt8>, owner: AnyObject?, starts: [UInt32], gap: UInt32
  ) {
    precondition(!starts.isEmpty, "`starts` must contain the position after the last string")
    self.base = base
    self.owner = owner
    self.starts = starts
    self.gap = gap
  }

  /// Creates copies of the given strings, whose total size must be below 2^32 bytes.
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

  /// The total number of bytes of all strings, including their gaps.
  package var byteCount: Int { Int(starts[count] - starts[0]) }

  /// The bytes of a string, valid as long as this value lives.
  package subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
    let start = starts[number]
    return UnsafeBufferPointer(
      start: base + Int(start), count: Int(starts[number + 1] - gap - start))
  }
}
