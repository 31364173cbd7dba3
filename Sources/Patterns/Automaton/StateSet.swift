/// A set of states with constant-time insertion and emptying.
struct StateSet {
  private(set) var members: [Int32] = []
  private var stamps: [UInt32]
  private var stamp: UInt32 = 1

  init(capacity: Int) { stamps = [UInt32](repeating: 0, count: capacity) }

  /// Inserts a state; returns false if the set already contains it.
  mutating func insert(_ state: Int32) -> Bool {
    if stamps[Int(state)] == stamp { return false }
    stamps[Int(state)] = stamp
    members.append(state)
    return true
  }

  mutating func removeAll() {
    members.removeAll(keepingCapacity: true)
    stamp &+= 1
    if stamp == 0 {
      stamps = [UInt32](repeating: 0, count: stamps.count)
      stamp = 1
    }
  }
}
