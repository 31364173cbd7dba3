/// The free slots of a predictor.
final class SlotPool {
  private var free: [Int]

  init(_ slots: Range<Int>) { free = slots.reversed() }

  /// Takes an empty slot.
  func take() -> Int { free.removeLast() }

  /// Puts back a slot, which must be empty.
  func give(_ slot: Int) { free.append(slot) }
}
