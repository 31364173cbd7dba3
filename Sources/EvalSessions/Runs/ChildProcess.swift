import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program in a separate process group, with files as its input and output.
///
/// Ending the program ends the whole group, including everything that the program has started.
struct ChildProcess {
  /// The reason why the shell that runs a program can't be started.
  struct Failure: Error {
    /// The system's error message.
    let reason: String
  }

  /// The process groups of all running programs.
  private static let running = Mutex<Set<pid_t>>([])

  private let id: pid_t

  /// Creates a process by starting a program.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: The program's name and then its arguments; the name is ignored.
  ///   - folder: The working directory; empty for the current one.
  ///   - environment: The complete environment.
  ///   - input: The file for the program's standard input.
  ///   - output: The file for the program's standard output; its standard error is discarded.
  /// - Throws: `Failure` if the shell that runs the program can't be started. If the shell can't
  ///   run the program, `status()` returns the shell's exit status.
  init(
    program: String, arguments: [String], folder: String, environment: [String: String],
    input: String, output: String
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
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    // A shell changes the working directory, because `posix_spawn` can't do that on every system.
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.isEmpty ? "." : folder, program]
    let words = (shell + arguments.dropFirst()).map { strdup($0) } + [nil]
    let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in words + variables { free(text) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, "/bin/sh", &actions, &attributes, words, variables + [nil])
    guard code == 0 else { throw Failure(reason: String(cString: strerror(code)).lowercased()) }
    self.id = id
    Self.running.withLock { _ = $0.insert(id) }
  }

  /// Ends all running programs, and everything that they started.
  static func endAll() {
    running.withLock { ids in for id in ids { kill(-id, SIGKILL) } }
  }

  /// Returns the program's exit status, or `nil` while the program is running.
  ///
  /// If a signal ended the program, the status is 128 plus the signal's number.
  func status() -> Int32? {
    var status: Int32 = 0
    let found = waitpid(id, &status, WNOHANG)
    guard found != 0 else { return nil }
    endGroup()
    guard found == id else { return 127 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Ends the program and everything that it started.
  func end() {
    kill(id, SIGKILL)
    endGroup()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  /// Ends processes that the program started and left running.
  private func endGroup() {
    kill(-id, SIGKILL)
    Self.running.withLock { _ = $0.remove(id) }
  }
}
