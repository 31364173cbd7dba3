import SystemBasics

/// Distinguishes runs in progress from runs whose process has ended.
///
/// A process that executes a run holds a lock on one byte of the file `<database>-runs`, at the
/// offset of the run's id. The kernel releases the lock when the process ends, whatever the reason.
/// A process id in the database would be worse than a lock in two ways: the id could later belong
/// to another process, and somebody would have to delete the id. The locks belong to the open file
/// ("open file description locks"), so two stores in one process see each other's locks too.
final class RunLocks {
  private let descriptor: Int32

  #if os(Linux)
    private static let setLock: Int32 = 37
    private static let getLock: Int32 = 36
  #else
    private static let setLock: Int32 = 90
    private static let getLock: Int32 = 92
  #endif

  /// Creates the run locks of a database by opening its lock file.
  ///
  /// - Returns: `nil` if the lock file can't be opened or created; the store then assumes that
  ///   nobody holds a lock.
  init?(database: String, isReadOnly: Bool) {
    let path = database + "-runs"
    var descriptor =
      isReadOnly ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  /// Releases all locks and closes the file.
  ///
  /// Closing alone isn't enough: a program that another thread is just starting has a copy of the
  /// descriptor for a moment, and the locks belong to all copies.
  deinit {
    var lock = lock(0, type: Int32(F_UNLCK))
    lock.l_len = 0
    _ = fcntl(descriptor, Self.setLock, &lock)
    close(descriptor)
  }

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
  /// - Returns: False if another store holds the lock.
  func take(_ run: Int) -> Bool {
    var lock = lock(run, type: Int32(F_WRLCK))
    return fcntl(descriptor, Self.setLock, &lock) == 0
  }

  /// Releases a run's lock.
  func release(_ run: Int) {
    var lock = lock(run, type: Int32(F_UNLCK))
    _ = fcntl(descriptor, Self.setLock, &lock)
  }

  /// Returns whether another store, in this or another process, holds the run's lock.
  func isHeldElsewhere(_ run: Int) -> Bool {
    var lock = lock(run, type: Int32(F_WRLCK))
    return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}
