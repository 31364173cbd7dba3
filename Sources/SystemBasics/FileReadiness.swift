/// Waiting for files that can be read or written.
package enum FileReadiness {
  /// Waits until one of the files is ready, or until the time is over.
  ///
  /// - Parameters:
  ///   - descriptors: The files, with the events to wait for; receives the events that happened.
  ///   - milliseconds: The longest wait; a negative number waits without a limit.
  package static func wait(for descriptors: inout [pollfd], atMost milliseconds: Int32) {
    _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }
}
