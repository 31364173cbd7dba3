import Foundation

/// A lock that processes use to take turns writing to a folder.
///
/// The kernel releases the lock when the process ends. On a file system without locks, the lock has
/// no effect.
package final class FolderLock {
  private let descriptor: Int32

  /// Creates a lock on a folder, after waiting until no other process holds a lock on the folder.
  ///
  /// If the folder doesn't exist, this initializer locks nothing.
  package init(_ folder: String) {
    // A program that an assertion starts must not keep the lock.
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }
  }

  /// Releases the lock.
  package func release() {
    if descriptor >= 0 { close(descriptor) }
  }
}
