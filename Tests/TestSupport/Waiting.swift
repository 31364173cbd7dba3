import Foundation

/// Waits until a condition holds, and blocks the thread until then.
///
/// - Parameters:
///   - seconds: The time after which the function gives up. It is long, because all cores may be
///     busy with other tests.
///   - holds: Returns whether the condition holds.
/// - Returns: Whether the condition held in time.
@discardableResult
public func blockUntil(within seconds: Double = 60, _ holds: () -> Bool) -> Bool {
  let end = Date(timeIntervalSinceNow: seconds)
  while !holds() {
    if Date() > end { return false }
    Thread.sleep(forTimeInterval: 0.005)
  }
  return true
}

/// Waits until a condition holds.
///
/// A separate thread checks the condition, because other tests may keep the cooperative pool busy
/// for longer than the condition holds.
///
/// - Parameters:
///   - seconds: The time after which the function gives up.
///   - holds: Returns whether the condition holds.
///   - act: What to do at once when the condition holds, or when the time is over.
/// - Returns: Whether the condition held in time.
@discardableResult
public func waitUntil(
  within seconds: Double = 60, _ holds: @escaping @Sendable () -> Bool,
  then act: @escaping @Sendable () -> Void = {}
) async -> Bool {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let isInTime = blockUntil(within: seconds, holds)
      act()
      continuation.resume(returning: isInTime)
    }
  }
}

/// Returns whether a process has ended, even if nobody has asked for its status.
public func hasEnded(_ process: Int32) -> Bool {
  if kill(process, 0) != 0 { return true }
  let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
  return state?.split(separator: ")").last?.hasPrefix(" Z") ?? false
}
