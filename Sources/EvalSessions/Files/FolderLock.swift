import ResultStore
import SystemBasics

/// A lock that processes use to take turns writing to a folder.
///
/// The kernel releases the lock when the process ends. On a file system without locks, the lock has
/// no effect.
package final class FolderLock {
  private let descriptor: Int32

  /// Creates a lock on a folder, after waiting until no other process holds a lock on the folder.
  ///
  /// If the folder doesn't exist, this initializer locks nothing.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - waiting: The rule for waiting.
  /// - Throws: `LockTimeout` if another process keeps the lock.
  package init(_ folder: String, waiting: LockWait) throws(LockTimeout) {
    // A program that an assertion starts must not keep the lock.
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    do throws(LockTimeout) {
      try waiting.lock(descriptor, path: folder)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Releases the lock.
  package func release() {
    if descriptor >= 0 { close(descriptor) }
  }
}
