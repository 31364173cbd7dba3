import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A shell command in a process group of its own.
///
/// Ending the group ends the command and everything that it has started, unless that has left the
/// group.
package struct ProcessGroup: Sendable {
  /// The reason why the shell can't be started.
  package struct Failure: Error {
    /// The system's error message.
    package let reason: String
  }

  /// The source or destination of a standard stream.
  package enum Stream: Sendable {
    /// The file at a path.
    case file(String)
    /// An open file of this process.
    case descriptor(Int32)
    /// Nothing: reading finds the end, and what is written is discarded.
    case nothing
  }

  /// The groups whose first process has not been waited for.
  private static let running = Mutex<Set<Int32>>([])

  /// The id of the group and of its first process, the shell.
  package let id: Int32

  /// Creates a group by starting a shell.
  ///
  /// - Parameters:
  ///   - script: The shell's script.
  ///   - words: The script's `$0` and its arguments.
  ///   - environment: The complete environment.
  ///   - input: The standard input.
  ///   - output: The standard output.
  ///   - errors: The standard error.
  ///   - further: An open file of this process that the script gets as descriptor 3.
  package init(
    script: String, _ words: [String], environment: [String: String], input: Stream,
    output: Stream, errors: Stream, further: Int32? = nil
  ) throws(Failure) {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, stream, mode) in [
      (STDIN_FILENO, input, O_RDONLY), (STDOUT_FILENO, output, O_WRONLY),
      (STDERR_FILENO, errors, O_WRONLY),
    ] {
      switch stream {
      case .file(let path): posix_spawn_file_actions_addopen(&actions, target, path, mode, 0)
      case .descriptor(let number): posix_spawn_file_actions_adddup2(&actions, number, target)
      case .nothing: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", mode, 0)
      }
    }
    if let further { posix_spawn_file_actions_adddup2(&actions, further, 3) }
    // The command must not inherit that this process ignores or blocks signals.
    var none = sigset_t()
    sigemptyset(&none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK)
        | Int16(POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    let arguments = (["sh", "-c", script] + words).map { strdup($0) } + [nil]
    let variables =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, variables)
    guard code == 0 else { throw Failure(reason: String(cString: strerror(code)).lowercased()) }
    self.id = id
    Self.running.withLock { _ = $0.insert(id) }
  }

  /// Ends all groups of this process immediately.
  package static func endAll() {
    running.withLock { ids in for id in ids { kill(-id, SIGKILL) } }
  }

  /// Returns the command's exit status, or `nil` while the command is running.
  ///
  /// If a signal ended the command, the status is 128 plus the signal's number. The rest of the
  /// group ends with the command. After the first status, the method returns 127.
  package func status() -> Int32? {
    var status: Int32 = 0
    let found = waitpid(id, &status, WNOHANG)
    guard found != 0 else { return nil }
    endRest()
    guard found == id else { return 127 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Asks the command and everything that it has started to end.
  package func askToEnd() { kill(-id, SIGTERM) }

  /// Ends the command and everything that it has started.
  package func end() {
    kill(id, SIGKILL)
    endRest()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  /// Ends processes that the command started and left running.
  private func endRest() {
    kill(-id, SIGKILL)
    Self.running.withLock { _ = $0.remove(id) }
  }
}
