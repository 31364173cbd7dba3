import CTransport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe whose ends this process's programs don't inherit unless they get one explicitly.
struct Pipe {
  /// The end from which data is read.
  let reading: Int32
  /// The end to which data is written.
  let writing: Int32

  /// Creates a pipe, or returns `nil` if the process has too many open files.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard assay_transport_pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Lets reads and writes of an end return immediately.
  static func setNonblocking(_ end: Int32) {
    _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
  }

  /// Closes both ends.
  func close() {
    for end in [reading, writing] { closeDescriptor(end) }
  }
}

/// Closes a file; the name of the system's function is taken inside of types with a method `close`.
func closeDescriptor(_ descriptor: Int32) {
  if descriptor >= 0 { _ = close(descriptor) }
}
