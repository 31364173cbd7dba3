import ConstrainedDecoding
import Foundation

/// Measures the wall time, the processor time and the memory of this process.
enum Measuring {
  /// Returns the nanoseconds since an arbitrary moment.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the processor time of this process in nanoseconds.
  static func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the minimum time for reading the clock, in nanoseconds.
  static func clockOverhead() -> UInt64 {
    var least = UInt64.max
    for _ in 0..<2000 {
      let first = now()
      least = min(least, now() - first)
    }
    return least
  }

  /// Returns the resident memory of this process in KiB, or 0 if the system doesn't report it.
  static func residentMemory() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
  }

  /// Returns the peak resident memory of this process in KiB, or 0 if the system doesn't report it.
  static func peakMemory() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }

  /// Returns the median, or `nil` if there are no values.
  ///
  /// For an even number of values, the median is the larger of the two middle values.
  static func median<Value: Comparable>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// Returns a quantile of sorted values, or 0 if there are none.
  static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

/// Reference times for comparison with mask times, in nanoseconds on this machine: for copying a
/// mask, for the union of two masks, and for visiting every node of the vocabulary's trie once.
struct MaskFloors {
  let copy: Double
  let union: Double
  let trie: Double

  init(wordCount: Int, table: TokenTable) {
    let source = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: wordCount)
    let target = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: wordCount)
    defer {
      source.deallocate()
      target.deallocate()
    }
    source.initialize(repeating: 0x5555)
    target.initialize(repeating: 0)
    func best(_ body: () -> Void) -> Double {
      var least = UInt64.max
      for _ in 0..<200 {
        let first = Measuring.now()
        for _ in 0..<50 { body() }
        least = min(least, Measuring.now() - first)
      }
      return Double(least) / 50
    }
    var least = UInt64.max
    var sum = 0
    for _ in 0..<20 {
      let first = Measuring.now()
      sum &+= table.trieChecksum()
      least = min(least, Measuring.now() - first)
    }
    // Use the sum, so that the optimizer doesn't remove the loop.
    source[0] = UInt64(truncatingIfNeeded: sum)
    trie = Double(least)
    copy = best {
      // The indices are in bounds, because both buffers have `wordCount` words.
      if let from = source.baseAddress { target.baseAddress?.update(from: from, count: wordCount) }
      source[0] &+= target[wordCount - 1] & 1
    }
    union = best {
      for index in 0..<wordCount { target[index] |= source[index] }
      source[0] &+= target[wordCount - 1] & 1
    }
  }
}
