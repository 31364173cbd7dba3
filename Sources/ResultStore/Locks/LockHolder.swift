import SystemBasics

/// A process that holds a lock for which this process waits.
public struct LockHolder: Sendable, Hashable {
  /// The process id.
  public let process: Int
  /// The command line, or `nil` if it can't be read.
  public let command: String?

  /// Returns a process that has locked one of the files, or `nil` if the system doesn't tell.
  ///
  /// Only Linux lists the locks of all processes. The list doesn't contain processes on other
  /// machines or outside this container.
  ///
  /// - Parameter paths: The paths of files or folders.
  static func first(of paths: [String]) -> LockHolder? {
    // Foundation can't read files of /proc whose size is 0.
    guard let locks = text(ofFile: "/proc/locks") else { return nil }
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      for process in processes(in: locks, holding: UInt64(status.st_ino)) {
        let command = text(ofFile: "/proc/\(process)/cmdline")?
          .split(separator: "\0").joined(separator: " ")
        return LockHolder(
          process: process,
          command: command.flatMap { text in
            text.isEmpty ? nil : text.count > 80 ? text.prefix(79) + "…" : text
          })
      }
    }
    return nil
  }

  /// Returns the processes that hold a write lock on a file, in the order of the list.
  ///
  /// ```
  /// 1: POSIX  ADVISORY  WRITE 6589 fe:00:16247017 1073741824 1073742335
  /// 2: FLOCK  ADVISORY  WRITE 6473 fe:00:16220212 0 EOF
  /// 2: -> FLOCK  ADVISORY  WRITE 6588 fe:00:16220212 0 EOF         this process waits
  /// ```
  ///
  /// The device isn't compared, because some file systems tell `stat` another device than this
  /// list.
  ///
  /// - Parameters:
  ///   - locks: The content of `/proc/locks`.
  ///   - file: The file's inode number.
  static func processes(in locks: String, holding file: UInt64) -> [Int] {
    locks.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 5, words[3] == "WRITE", let process = Int(words[4]), process > 0,
        words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == file
      else { return nil }
      return process
    }
  }

  /// Reads a file to its end, with invalid UTF-8 replaced.
  private static func text(ofFile path: String) -> String? {
    OpenFile(reading: path)?.readToEnd().map { String(decoding: $0, as: UTF8.self) }
  }
}

extension LockHolder: CustomStringConvertible {
  public var description: String {
    "process \(process)" + (command.map { " (\($0))" } ?? "")
  }
}

/// The fact that this process has been waiting for another process's lock for about a second.
public struct LockNotice: Sendable, Hashable {
  /// The locked file or folder.
  public let path: String
  /// The process that holds the lock, or `nil` if the system doesn't tell.
  public let holder: LockHolder?
  /// The time after which this process gives up, in seconds.
  public let limit: Double

  /// The notice as one sentence, without a period.
  public var words: String {
    "\(path) is locked by \(holder.map(\.description) ?? "another process"); waiting for up to "
      + "\(Int(limit)) seconds"
  }
}
