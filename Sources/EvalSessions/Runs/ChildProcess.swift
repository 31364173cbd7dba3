import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs in a process group of its own, with files as its input and output.
///
/// The group is what is ended when time is up, so that nothing that the program started stays.
struct ChildProcess {
  /// Why a program could not be started.
  struct Failure: Error {
    /// The system's words.
    let reason: String
  }

  /// The process groups of all programs that run.
  private static let running = Mutex<Set<pid_t>>([])

  private let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, the first of which is its name.
  ///   - folder: The folder in which it runs; empty for the current one.
  ///   - environment: All of its environment.
  ///   - input: The file that it reads.
  ///   - output: The file that it writes; what it tells as errors is lost.
  /// - Throws: Why it could not be started.
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
    // The folder is changed by a shell: the system call for it is not everywhere to be had.
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

  /// Ends all programs that run, and everything that they started.
  static func endAll() {
    running.withLock { ids in for id in ids { kill(-id, SIGKILL) } }
  }

  /// The exit status, 128 and the signal's number where one ended it; nil while the program runs.
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

  /// Ends what the program started and left behind.
  private func endGroup() {
    kill(-id, SIGKILL)
    Self.running.withLock { _ = $0.remove(id) }
  }
}
