import Testing

@testable import ConstrainedDecoding

@Suite("The timer of the decoding phases")
struct PhaseTimerTests {
  /// A clock that advances by one second with each reading.
  private final class Ticks {
    var time = 100.0
    func next() -> Double {
      time += 1
      return time
    }
  }

  @Test("the timer adds time to the current phase, and `enter` returns the previous phase")
  func phases() {
    let ticks = Ticks()
    let timer = PhaseTimer(now: ticks.next)
    timer.restart()
    timer.enter(.model)
    let outer = timer.enter(.masks)
    #expect(outer == .model)
    timer.enter(.sampling)
    timer.enter(outer)
    timer.enter(.batching)
    let seconds = timer.takeSeconds()
    #expect(seconds == [.batching: 2, .model: 2, .masks: 1, .sampling: 1])
    #expect(timer.takeSeconds() == [.batching: 1])
  }

  @Test("the timer ignores the time before a restart, which another thread may have used")
  func restart() {
    let ticks = Ticks()
    let timer = PhaseTimer(now: ticks.next)
    ticks.time = 5_000
    timer.restart()
    #expect(timer.takeSeconds() == [.batching: 1])
  }
}
