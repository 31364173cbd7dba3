import Foundation

/// Tells runs that go on from runs whose process is gone.
///
/// A process that makes a run holds a lock on one byte of the file `<database>-runs`, at the offset of
/// the run's id. The kernel gives the lock back when the process ends, in whatever way, so that no
/// process id can be mistaken and nothing has to be cleaned up. The locks belong to the open file
/// ("open file description locks"), so that two stores in one process see each other too.
final class RunLocks {
  private let descriptor: Int32

  #if os(Linux)
    private static let setLock: Int32 = 37
    private static let getLock: Int32 = 36
  #else
    private static let setLock: Int32 = 90
    private static let getLock: Int32 = 92
  #endif

  /// Opens the lock file beside a database.
  ///
  /// - Returns: nil where the file is not there and cannot be made: then nobody holds a lock.
  init?(database: String, isReadOnly: Bool) {
    let path = database + "-runs"
    var descriptor =
      isReadOnly ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private func lock(_ run: Int, type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(run)
    lock.l_len = 1
    return lock
  }

  /// Takes a run's lock.
  ///
  /// - Returns: Whether nobody else has it.
  func take(_ run: Int) -> Bool {
    var lock = lock(run, type: Int32(F_WRLCK))
    return fcntl(descriptor, Self.setLock, &lock) == 0
  }

  /// Gives a run's lock back.
  func release(_ run: Int) {
    var lock = lock(run, type: Int32(F_UNLCK))
    _ = fcntl(descriptor, Self.setLock, &lock)
  }

  /// Whether another store, in this or another process, makes the run.
  func isHeldElsewhere(_ run: Int) -> Bool {
    var lock = lock(run, type: Int32(F_WRLCK))
    return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}
