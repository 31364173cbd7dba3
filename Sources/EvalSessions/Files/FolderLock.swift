import Foundation

/// A lock on a folder, which runs that end at once take in turn while they write there.
///
/// The kernel gives it back if the process ends. On a file system without locks it does nothing.
package final class FolderLock {
  private let descriptor: Int32

  /// Waits for the lock of a folder; a folder that isn't there has none.
  package init(_ folder: String) {
    descriptor = open(folder, O_RDONLY)
    if descriptor >= 0 {
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }
  }

  /// Gives the lock back.
  package func release() {
    if descriptor >= 0 { close(descriptor) }
  }
}
