import SystemBasics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is mapped read-only into memory.
///
/// All workers share one copy, and the system reads it as needed.
///
/// The file must not be truncated while it is in use, because the system ends a process that reads
/// past the end of a mapped file.
final class MappedFile: @unchecked Sendable {
  // Unchecked, because the memory is never written and lives as long as the object.
  let path: String
  let bytes: UnsafeRawBufferPointer
  /// The identity of the file when it was mapped.
  let identity: FileIdentity

  init(path: String) throws(ModelFileError) {
    self.path = path
    func failure() -> ModelFileError {
      ModelFileError(
        file: path, place: "the file", problem: .unreadable(String(cString: strerror(errno))))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ModelFileError(
        file: path, place: "the file", problem: .unreadable("not a regular file"))
    }
    guard status.st_size > 0, let size = Int(exactly: status.st_size) else {
      throw ModelFileError(
        file: path, place: "the file", problem: .truncated(needed: 24, available: 0))
    }
    guard let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      memory != UnsafeMutableRawPointer(bitPattern: -1)
    else { throw failure() }
    bytes = UnsafeRawBufferPointer(start: memory, count: size)
    identity = FileIdentity(status)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}
