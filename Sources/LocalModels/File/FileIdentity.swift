#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The facts by which Assay recognizes a file without reading it, as Git does with its index.
///
/// A program can set a file's time of modification, but not the time at which the file's status
/// changed. So a file with the same identity has the same content, unless both times are so recent
/// that a further change could fall into the same tick of the clock.
public struct FileIdentity: Sendable, Hashable {
  /// The device, file number, size and both times, separated by colons.
  public let text: String
  /// The time at which the file's status last changed, in seconds since 1970.
  public let changed: Double

  /// Reads the identity of the file at a path.
  ///
  /// Returns `nil` if there is no such file.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    #if canImport(Darwin)
      let times = (status.st_mtimespec, status.st_ctimespec)
    #else
      let times = (status.st_mtim, status.st_ctim)
    #endif
    text = [
      "\(status.st_dev)", "\(status.st_ino)", "\(status.st_size)",
      "\(times.0.tv_sec).\(times.0.tv_nsec)", "\(times.1.tv_sec).\(times.1.tv_nsec)",
    ].joined(separator: ":")
    changed = Double(times.1.tv_sec) + Double(times.1.tv_nsec) * 1e-9
  }
}
