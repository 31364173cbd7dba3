import ResultStore
import Synchronization
import SystemBasics

/// A folder of reports in which files are replaced atomically, so that readers never see a partial
/// file.
///
/// ```
/// reports/                 results.sqlite
///   12/                    report.html junit.xml summary.md results.jsonl
///   latest/                copies of the files that were written last
/// ```
package struct OutputFolder: Sendable {
  /// The folder's path.
  package let path: String
  private let waiting: LockWait

  /// Creates a reference to a folder, and writes nothing.
  ///
  /// - Parameters:
  ///   - path: The folder's path.
  ///   - waiting: The rule for waiting while another process has locked the folder.
  package init(path: String, waiting: LockWait = LockWait()) {
    self.path = path
    self.waiting = waiting
  }

  /// The error for a folder or file that can't be written, with its path and the reason.
  package struct Failure: Error, CustomStringConvertible {
    /// The path of the folder or file.
    package let path: String
    /// The reason why the folder or file can't be written.
    package let reason: String

    package var description: String { "\(path): can't be written: \(reason)" }
  }

  /// Returns the folder that contains a file, or `.` if the path doesn't name a folder.
  package static func folder(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// Creates the folder if necessary, and checks that files can be written to it.
  ///
  /// - Throws: `Failure` with the path and the system's reason.
  package func prepare() throws(Failure) {
    try make(path)
    let probe = Self.newName(in: path, "assay")
    try write("", to: probe)
    unlink(probe)
  }

  /// Writes the files of one run, each of them atomically, and copies them to `latest`.
  ///
  /// - Parameters:
  ///   - files: The names of the files, with their contents.
  ///   - name: The name of the folder next to `latest`.
  /// - Returns: The path of `latest`.
  /// - Throws: `Failure` if a folder or file can't be written. If a file can't be written to one of
  ///   the two folders, the existing files in that folder stay unchanged.
  @discardableResult
  package func publish(
    _ files: [(name: String, text: String)], in name: String
  ) throws(Failure) -> String {
    try make(path)
    // The lock ensures that all files in `latest` belong to one run, even if many runs end at the
    // same time.
    let lock = try lock()
    defer { lock.release() }
    for folder in ["\(path)/\(name)", "\(path)/latest"] {
      try make(folder)
      let written = files.map { (new: Self.newName(in: folder, $0.name), name: $0.name) }
      // Write all new files to disk before replacing the first old one.
      defer { for file in written { unlink(file.new) } }
      for (file, place) in zip(files, written) { try write(file.text, to: place.new) }
      for file in written { try rename(file.new, to: "\(folder)/\(file.name)") }
      // Remove files left behind by an earlier run that had more suites, or by a run before this
      // lab, because readers could mistake them for files of this run.
      let names = Set(files.map(\.name))
      let old = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in old where !names.contains(name) && name.hasPrefix("junit") {
        if name.hasSuffix(".xml") { unlink("\(folder)/\(name)") }
      }
    }
    return "\(path)/latest"
  }

  /// Replaces reports that an earlier command wrote, before or without writing new ones: a CI job
  /// must not read them as those of the newest command.
  ///
  /// Without anything in the folder of reports, the function does nothing.
  ///
  /// - Parameters:
  ///   - names: The names of the reports to remove; JUnit files are removed too.
  ///   - folders: The names of the folders. All but the first one are only changed if they exist.
  ///   - file: The name and the text of the file that says what happened.
  package func retract(
    _ names: [String], in folders: [String], leaving file: (name: String, text: String)
  ) {
    func content(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
    guard !content(path).isEmpty else { return }
    // If another process has locked the folder, that process is about to write its own reports.
    let hurried = LockWait(limit: waiting.limit)
    hurried.hurry()
    guard let lock = try? OutputFolder(path: path, waiting: hurried).lock() else { return }
    defer { lock.release() }
    for (number, name) in folders.enumerated() {
      let folder = "\(path)/\(name)"
      let old = content(folder)
      guard number == 0 || !old.isEmpty, (try? make(folder)) != nil else { continue }
      for name in old where names.contains(name) || name.hasPrefix("junit") {
        unlink("\(folder)/\(name)")
      }
      let new = Self.newName(in: folder, file.name)
      defer { unlink(new) }
      // On a full disk, no file is still better than an old one.
      guard (try? write(file.text, to: new)) != nil else { continue }
      try? rename(new, to: "\(folder)/\(file.name)")
    }
  }

  /// Locks the folder.
  ///
  /// - Throws: `Failure` if another process keeps the lock.
  func lock() throws(Failure) -> FolderLock {
    do throws(LockTimeout) {
      return try FolderLock(path, waiting: waiting)
    } catch {
      throw Failure(path: path, reason: error.reason)
    }
  }

  /// Writes one file below the folder atomically, replacing an older version.
  ///
  /// If the path leads to a device or a pipe, this method writes to the device or pipe without
  /// replacing it.
  package func replace(_ file: String, with text: String) throws(Failure) {
    try make(path)
    var status = stat()
    if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try write(text, to: file, isKept: true)
    }
    let new = Self.newName(in: Self.folder(of: file), file.split(separator: "/").last ?? "file")
    defer { unlink(new) }
    try write(text, to: new)
    try rename(new, to: file)
  }

  private static let counter = Atomic<Int>(0)

  /// Returns a name for a temporary file that no other process and no other thread uses.
  private static func newName(in folder: String, _ name: some StringProtocol) -> String {
    let number = counter.add(1, ordering: .relaxed).newValue
    return "\(folder)/.\(name).\(ProcessInfo.processInfo.processIdentifier)-\(number).new"
  }

  /// Adds a line to a file below the folder with a single write, so that the lines of two processes
  /// don't mix.
  ///
  /// If the file's last line is incomplete, because the disk was full or a process was killed, this
  /// method ends that line first.
  package func append(_ line: String, to file: String) throws(Failure) {
    try make(path)
    // A program that another thread starts must not keep the lock.
    let descriptor = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(file) }
    defer { close(descriptor) }
    // Lock the file, so that no other process adds a line between this check of the last line and
    // the write.
    do throws(LockTimeout) {
      try waiting.lock(descriptor, path: file)
    } catch {
      throw Failure(path: file, reason: error.reason)
    }
    let end = lseek(descriptor, 0, SEEK_END)
    var last: UInt8 = 0x0A
    let isTorn = end > 0 && pread(descriptor, &last, 1, end - 1) == 1 && last != 0x0A
    let bytes = Array(((isTorn ? "\n" : "") + line).utf8)
    let written = SystemBasics.write(descriptor, bytes, bytes.count)
    guard written == bytes.count else {
      let reason = failure(file)
      // Remove a partially written line, so that the file is as it was before.
      if end >= 0 { ftruncate(descriptor, end) }
      throw reason
    }
  }

  /// Creates a folder and its parents one at a time, because Foundation hides the reason for a
  /// failure.
  private func make(_ folder: String) throws(Failure) {
    var missing: [String] = []
    var current = folder
    while FileStatus(path: current) == nil {
      missing.append(current)
      guard let slash = current.lastIndex(of: "/") else { break }
      current = slash == current.startIndex ? "/" : String(current[..<slash])
    }
    if missing.last != current, FileStatus(path: current)?.isFolder != true {
      throw Failure(path: folder, reason: "\(current) is not a folder")
    }
    for folder in missing.reversed() {
      // Another process may have created the folder in the meantime.
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw failure(folder)
      }
    }
  }

  private func write(
    _ text: String, to file: String, isKept: Bool = false
  ) throws(Failure) {
    guard let stream = fopen(file, "w") else { throw failure(file) }
    let bytes = Array(text.utf8)
    var isWritten = fwrite(bytes, 1, bytes.count, stream) == bytes.count
    var reason = failure(file)
    // Closing writes the rest of the buffer, so `fclose` may be the first call that fails on a full
    // disk.
    if fclose(stream) != 0, isWritten {
      isWritten = false
      reason = failure(file)
    }
    guard isWritten else {
      if !isKept { unlink(file) }
      throw reason
    }
  }

  private func rename(_ source: String, to destination: String) throws(Failure) {
    guard SystemBasics.rename(source, destination) == 0 else {
      throw failure(destination)
    }
  }

  /// Returns the error of the last system call, with the system's message.
  private func failure(_ path: String) -> Failure {
    Failure(path: path, reason: String(cString: strerror(errno)).lowercased())
  }
}
