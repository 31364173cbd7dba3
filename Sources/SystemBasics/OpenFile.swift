/// An open file, which is closed when its last reference goes away.
package final class OpenFile: Sendable {
  private let descriptor: Int32

  private init?(_ path: String, _ flags: Int32) {
    descriptor = open(path, flags | O_CLOEXEC, 0o666)
    if descriptor < 0 { return nil }
  }

  /// Opens a file to read it, or returns `nil` if it can't be opened.
  package convenience init?(reading path: String) { self.init(path, O_RDONLY) }

  /// Opens a file to write at its end, and creates it if it doesn't exist.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mustBeNew: Whether an existing file is an error.
  /// - Returns: `nil` if the file can't be opened.
  package convenience init?(appendingTo path: String, mustBeNew: Bool = false) {
    self.init(path, O_WRONLY | O_APPEND | O_CREAT | (mustBeNew ? O_EXCL : 0))
  }

  deinit { close(descriptor) }

  /// Appends bytes to an existing file and closes it, because some file systems notice only then
  /// that a disk is full.
  ///
  /// If not all bytes can be written, the file keeps its former length.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - path: The file.
  /// - Returns: The system's reason why the file lacks the bytes, for example `No space left on
  ///   device`, or `nil` if it has them.
  package static func append(_ bytes: some Collection<UInt8>, to path: String) -> String? {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    let length = lseek(descriptor, 0, SEEK_END)
    var error: Int32 = 0
    if !write(bytes, to: descriptor) {
      error = errno
      if length >= 0 { _ = ftruncate(descriptor, length) }
    }
    if close(descriptor) != 0, error == 0 { error = errno }
    return error == 0 ? nil : String(cString: strerror(error))
  }

  /// Reads the next bytes.
  ///
  /// - Parameter count: The maximum number of bytes.
  /// - Returns: At most this number of bytes, none at the end of the file, or `nil` if they can't
  ///   be read.
  package func read(upTo count: Int) -> [UInt8]? {
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      length = Self.repeated { SystemBasics.read(self.descriptor, buffer.baseAddress, count) }
      used = max(0, length)
    }
    return length < 0 ? nil : bytes
  }

  /// Reads the file to its end.
  ///
  /// - Parameter limit: The maximum number of bytes; the rest isn't read.
  /// - Returns: The bytes, or `nil` if they can't be read.
  package func readToEnd(limit: Int = .max) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      guard let part = read(upTo: min(limit - bytes.count, 1 << 16)) else { return nil }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// Writes bytes at the end of the file.
  ///
  /// - Returns: Whether all bytes were written.
  package func write(_ bytes: some Collection<UInt8>) -> Bool {
    Self.write(bytes, to: descriptor)
  }

  private static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        repeated { SystemBasics.write(descriptor, buffer.baseAddress, buffer.count) }
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Calls a system function again as long as signals interrupt it.
  private static func repeated(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
