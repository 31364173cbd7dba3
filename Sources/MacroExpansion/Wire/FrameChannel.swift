#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The pipes to and from the compiler.
///
/// A frame is a length (8 bytes, little-endian) followed by that many bytes.
struct FrameChannel {
  private static let lengthLimit = 1 << 30

  private let input: Int32
  private let output: Int32

  /// Returns a channel over standard input and output, or `nil` if they can't be duplicated.
  ///
  /// After this call, everything that the process prints goes to standard error.
  static func standard() -> FrameChannel? {
    let input = dup(STDIN_FILENO)
    let output = dup(STDOUT_FILENO)
    guard input >= 0, output >= 0 else { return nil }
    close(STDIN_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return FrameChannel(input: input, output: output)
  }

  /// Reads the bytes of the next frame.
  ///
  /// Returns `nil` at the end of the input, or if the frame is too long.
  func read() -> [UInt8]? {
    guard let header = read(count: 8) else { return nil }
    let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(Self.lengthLimit) else { return nil }
    return read(count: Int(length))
  }

  private func read(count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        #if canImport(Glibc)
          Glibc.read(input, buffer.baseAddress.map { $0 + done }, count - done)
        #elseif canImport(Musl)
          Musl.read(input, buffer.baseAddress.map { $0 + done }, count - done)
        #else
          Darwin.read(input, buffer.baseAddress.map { $0 + done }, count - done)
        #endif
      }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }

  /// Writes a frame.
  ///
  /// Returns false if the compiler has closed the pipe.
  func write(_ body: [UInt8]) -> Bool {
    let length = UInt64(body.count)
    let frame = (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + body
    var done = 0
    while done < frame.count {
      let put = frame.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(output, buffer.baseAddress.map { $0 + done }, frame.count - done)
        #elseif canImport(Musl)
          Musl.write(output, buffer.baseAddress.map { $0 + done }, frame.count - done)
        #else
          Darwin.write(output, buffer.baseAddress.map { $0 + done }, frame.count - done)
        #endif
      }
      guard put > 0 else { return false }
      done += put
    }
    return true
  }
}
