/// The free slots of a predictor.
final class SlotPool {
  private var free: [Int]

  init(_ slots: Range<Int>) { free = slots.reversed() }

  /// Takes a slot, which is empty.
  func take() -> Int { free.removeLast() }

  /// Gives back a slot, which must be empty again.
  func give(_ slot: Int) { free.append(slot) }
}
