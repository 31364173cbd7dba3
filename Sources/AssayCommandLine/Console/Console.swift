import Foundation

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
  /// The width of the terminal in columns.
  let width: Int

  /// The console of the process.
  ///
  /// - Parameter environment: The environment's variables, which may forbid colours.
  static func standard(environment: [String: String]) -> Console {
    let isDumb = environment["TERM"] == "dumb"
    let isContinuousIntegration = !(environment["CI"] ?? "").isEmpty
    return Console(
      output: { write($0, to: STDOUT_FILENO) },
      notes: { write($0, to: STDERR_FILENO) },
      outputStyle: TextStyle(
        isTerminal: isatty(STDOUT_FILENO) == 1 && !isDumb, environment: environment),
      noteStyle: TextStyle(
        isTerminal: isatty(STDERR_FILENO) == 1 && !isDumb, environment: environment),
      isInteractive: isatty(STDERR_FILENO) == 1 && !isDumb && !isContinuousIntegration,
      width: terminalWidth())
  }

  /// Writes a whole text, however many calls that takes; a closed pipe ends it quietly.
  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
        if written < 0 {
          if errno == EINTR { continue }
          return
        }
        rest = rest.dropFirst(written)
      }
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

  private static func terminalWidth() -> Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Colours for a terminal, or none.
///
/// A colour never stands without a word or a sign.
struct TextStyle: Sendable {
  /// Whether control sequences are written.
  var isOn: Bool

  /// Decides from the destination and the environment.
  ///
  /// `NO_COLOR` beats `CLICOLOR_FORCE`, and both beat the destination.
  init(isTerminal: Bool, environment: [String: String]) {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    if isSet("NO_COLOR") {
      isOn = false
    } else if isSet("CLICOLOR_FORCE") || isSet("FORCE_COLOR") {
      isOn = true
    } else {
      isOn = isTerminal
    }
  }

  /// Switches control sequences on or off.
  init(isOn: Bool) { self.isOn = isOn }

  /// Heavier text.
  func bold(_ text: String) -> String { wrap(text, "1") }
  /// What is worse.
  func worse(_ text: String) -> String { wrap(text, "31") }
  /// What is better.
  func better(_ text: String) -> String { wrap(text, "34") }
  /// What passed.
  func good(_ text: String) -> String { wrap(text, "32") }
  /// What is beside the point.
  func dim(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text with control characters made visible, so that model output can't steer a terminal.
  var printable: String {
    var safe = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator:
        safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default:
        safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}
