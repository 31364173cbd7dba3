import EvalReports
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the program's words go: results to standard output, everything else to standard error.
struct Console: Sendable {
  /// Writes results.
  let output: @Sendable (String) -> Void
  /// Writes progress, warnings and errors.
  let notes: @Sendable (String) -> Void
  /// Whether results are read on a terminal that shows colours.
  var outputStyle: TextStyle
  /// The same for notes.
  var noteStyle: TextStyle
  /// Whether notes go to a terminal that can redraw lines.
  let isInteractive: Bool
  /// The width of the terminal in columns when the program began.
  let width: Int
  /// Writes commands for the CI system around the program, which other words can't be.
  var commands: (@Sendable (String) -> Void)? = nil
  /// The result of writing to standard output.
  var outputState = OutputState()

  /// The width of the terminal now; a window may have been resized.
  var currentWidth: Int { isInteractive ? Self.terminalWidth() ?? width : width }

  /// The console of the process.
  ///
  /// - Parameter environment: The environment's variables, which may forbid colours.
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

  /// Whether the locale, where one is named, has UTF-8.
  private static func isUTF8(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else { return true }
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Writes a whole text, however many calls that takes.
  ///
  /// - Returns: The system's error number if it can't be written; nil if it is.
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

  /// Tells an error, one line.
  func tell(error: String) {
    notes("\(noteStyle.worse("error:")) \(VisibleText.line(error))\n")
  }

  /// Tells a warning, one line.
  func tell(warning: String) {
    notes("\(noteStyle.bold("warning:")) \(VisibleText.line(warning))\n")
  }
}

/// The result of writing to standard output: it keeps the first failure and writes nothing after
/// it.
final class OutputState: Sendable {
  private let number = Mutex<Int32?>(nil)

  /// The system's number of the first error; nil if there was none.
  var failure: Int32? {
    get { number.withLock(\.self) }
    set { number.withLock { $0 = $0 ?? newValue } }
  }

  /// Why the output isn't whole; nil if it is, or if its reader wanted no more.
  var problem: String? {
    failure.flatMap { number in
      number == EPIPE
        ? nil
        : "standard output cannot be written: \(String(cString: strerror(number)).lowercased())"
    }
  }
}
