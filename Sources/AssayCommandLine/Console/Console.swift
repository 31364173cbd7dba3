import EvalFindings
import EvalReports
import Synchronization
import SystemBasics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The destinations of the program's text: results go to standard output, everything else to
/// standard error.
struct Console: Sendable {
  /// Writes results.
  let output: @Sendable (String) -> Void
  /// Writes progress, warnings and errors.
  let notes: @Sendable (String) -> Void
  /// The style of results, with colors if standard output is a terminal that shows them.
  var outputStyle: TextStyle
  /// The style of notes.
  var noteStyle: TextStyle
  /// Whether notes go to a terminal that can redraw lines.
  ///
  /// Always false in continuous integration.
  let isInteractive: Bool
  /// The width of the terminal in columns when the program started.
  let width: Int
  /// Writes commands for the CI system.
  ///
  /// `output` and `notes` change their text so that the CI system can't mistake it for a command.
  var commands: (@Sendable (String) -> Void)? = nil
  /// The program whose commands messages name.
  var program = "assay"
  /// The first error from writing to standard output, if any.
  var outputState = OutputState()

  /// The current width of the terminal in columns.
  ///
  /// The user may have resized the window since the program started.
  var currentWidth: Int { isInteractive ? Self.terminalWidth() ?? width : width }

  /// Returns the console of the process.
  ///
  /// - Parameter environment: The environment variables, which may disable colors.
  static func standard(environment: [String: String]) -> Console {
    let isDumb = environment["TERM"] == "dumb"
    let isContinuousIntegration = !(environment["CI"] ?? "").isEmpty
    let isPlain = !isUTF8(environment)
    let hasCommands =
      environment["GITHUB_ACTIONS"] == "true" || !(environment["TF_BUILD"] ?? "").isEmpty
    let words: @Sendable (String) -> String = { text in
      let text = hasCommands ? CommandFreeText.text(text) : text
      return isPlain ? PlainText.ascii(text) : text
    }
    let state = OutputState()
    return Console(
      output: { text in
        if state.failure == nil { state.failure = write(words(text), to: STDOUT_FILENO) }
      },
      notes: { _ = write(words($0), to: STDERR_FILENO) },
      outputStyle: TextStyle(
        isTerminal: isatty(STDOUT_FILENO) == 1 && !isDumb, environment: environment),
      noteStyle: TextStyle(
        isTerminal: isatty(STDERR_FILENO) == 1 && !isDumb, environment: environment),
      isInteractive: isatty(STDERR_FILENO) == 1 && !isDumb && !isContinuousIntegration,
      width: terminalWidth() ?? 80, commands: { _ = write($0, to: STDERR_FILENO) },
      outputState: state)
  }

  /// Returns whether the locale names UTF-8 or no variable sets a locale.
  private static func isUTF8(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else { return true }
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Writes a text completely, with as many system calls as necessary.
  ///
  /// - Returns: The system's error number if writing fails, or `nil` if it succeeds.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
        if written < 0 {
          if errno == EINTR { continue }
          return errno
        }
        rest = rest.dropFirst(written)
      }
      return nil
    }
  }

  private static func systemWrite(
    _ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, base, count)
    #else
      Darwin.write(descriptor, base, count)
    #endif
  }

  private static func terminalWidth() -> Int? {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return nil }
    return Int(size.ws_col)
  }
}

extension Console {
  /// Applies `--color`.
  mutating func apply(color: ColorUse) {
    guard color != .auto else { return }
    outputStyle = TextStyle(isOn: color == .always)
    noteStyle = TextStyle(isOn: color == .always)
  }

  /// Prints an error as one line.
  func tell(error: String) {
    notes("\(noteStyle.worse("error:")) \(VisibleText.line(naming(error)))\n")
  }

  /// Prints a warning as one line.
  func tell(warning: String) {
    notes("\(noteStyle.bold("warning:")) \(VisibleText.line(naming(warning)))\n")
  }

  /// Returns a message whose commands are commands of this program.
  func naming(_ message: String) -> String {
    program == "assay" ? message : message.replacing("`assay ", with: "`\(program) ")
  }
}

/// The state of standard output: the first write error, after which nothing more is written.
final class OutputState: Sendable {
  private let number = Mutex<Int32?>(nil)

  /// The error number of the first error, or `nil` if there was none.
  var failure: Int32? {
    get { number.withLock(\.self) }
    set { number.withLock { $0 = $0 ?? newValue } }
  }

  /// The reason why the output is incomplete.
  ///
  /// This is `nil` if the output is complete, or if the reader closed the pipe.
  var problem: String? {
    failure.flatMap { number in
      number == EPIPE
        ? nil
        : "can't write to standard output: \(String(cString: strerror(number)).lowercased())"
    }
  }
}
