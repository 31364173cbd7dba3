extension StubScript {
  /// Whether all repeats get the same answer.
  public var isFixed: Bool {
    let possible = entries.filter { choice == .sequence || $0.weight > 0 }
    return possible.allSatisfy {
      $0.content == possible.first?.content && $0.fault == possible.first?.fault
    }
  }

  /// Whether repeats get different answers, but the number of a repeat decides which, not chance.
  public var takesTurns: Bool { choice == .sequence && !isFixed }
}
