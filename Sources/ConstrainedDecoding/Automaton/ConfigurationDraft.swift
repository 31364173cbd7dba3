/// A configuration (see `TokenAutomaton`) under construction.
struct ConfigurationDraft {
  var threads: [Thread] = []
  var sites: [UInt32] = []
  var isComplete = false
  /// The unions that the automaton has already expanded for the current continuation.
  var unions: Set<UInt32> = []

  /// Whether the text can neither continue nor end here.
  var isDead: Bool { threads.isEmpty && !isComplete }

  mutating func clear() {
    threads.removeAll(keepingCapacity: true)
    if !sites.isEmpty { sites.removeAll(keepingCapacity: true) }
    isComplete = false
    if !unions.isEmpty { unions.removeAll(keepingCapacity: true) }
  }

  /// The draft's hash; the draft must be normalized.
  var hash: UInt64 {
    var hash: UInt64 = isComplete ? 0x9E37_79B9_7F4A_7C15 : 0xC2B2_AE3D_27D4_EB4F
    func mix(_ value: UInt64) {
      hash = (hash ^ value) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
    }
    for thread in threads {
      mix(UInt64(thread.state) | UInt64(thread.kind) << 32)
      mix(UInt64(thread.next))
    }
    for site in sites { mix(UInt64(site) | 1 << 40) }
    return hash
  }

  /// Sorts threads and sites and removes duplicates.
  mutating func normalize() {
    if threads.count > 1 {
      Self.sort(&threads)
      var kept = 1
      for index in 1..<threads.count where threads[index] != threads[kept - 1] {
        threads[kept] = threads[index]
        kept += 1
      }
      threads.removeSubrange(kept...)
    }
    if sites.count > 1 {
      Self.sort(&sites)
      var kept = 1
      for index in 1..<sites.count where sites[index] != sites[kept - 1] {
        sites[kept] = sites[index]
        kept += 1
      }
      sites.removeSubrange(kept...)
    }
  }

  /// Sorts a list; short lists use insertion sort, because they're usually almost in order.
  @inline(__always)
  private static func sort<Element: Comparable>(_ elements: inout [Element]) {
    if elements.count > 16 {
      elements.sort()
      return
    }
    for index in 1..<elements.count {
      let element = elements[index]
      var position = index
      while position > 0, element < elements[position - 1] {
        elements[position] = elements[position - 1]
        position -= 1
      }
      elements[position] = element
    }
  }
}
