import StructuredText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A running program that answers requests, one at a time.
///
/// Only the thread of a `ProgramLoop` uses it.
final class LineProgram {
  /// The address with the program's command and folder.
  let address: ServerAddress
  private let group: ProcessGroup
  private(set) var input: Int32
  private(set) var output: Int32
  private(set) var errors: Int32
  /// The part of the request that hasn't been written yet.
  private var unsent: ArraySlice<UInt8> = []
  /// The output that belongs to no line yet.
  private var received: [UInt8] = []
  /// The number of bytes in `received` that contain no line break.
  private var searched = 0
  /// The end of the standard error.
  private var lastErrors: [UInt8] = []
  /// The exit status, or `nil` while the program runs.
  private(set) var status: Int32?
  /// The exchange in progress, or `nil` if the program waits for a request.
  var exchange: ExchangeQueue.Exchange?
  /// The time at which the exchange began, in seconds.
  var start = 0.0
  /// The number of requests that the program has answered.
  var answers = 0
  /// The time at which the program ended or closed its output, or `nil` if it hasn't.
  var endedAt: Double?

  /// The number of bytes to read at a time, and the number of such reads before other programs get
  /// their turn.
  private static let (chunk, turns) = (1 << 16, 16)
  /// The maximum number of bytes that are kept from the end of the standard error.
  private static let keptErrors = 4096

  /// The script that runs the command in its folder.
  ///
  /// The first line starts a guard. If this process dies, whatever the reason, its end of the pipe
  /// at descriptor 3 closes, and the guard ends the whole group.
  private static let script = """
    { read -r end <&3; kill -s KILL -- "-$$"; } </dev/null >/dev/null 2>&1 &
    cd "$1" && eval "$2" 3<&-
    """

  /// Creates a program by starting its command.
  ///
  /// - Parameters:
  ///   - address: The address with the command and the folder.
  ///   - environment: The complete environment.
  ///   - life: A pipe's reading end, whose writing end only this process has.
  init(
    _ address: ServerAddress, environment: [String: String], life: Int32
  ) throws(ProcessGroup.Failure) {
    let tooMany = ProcessGroup.Failure(reason: "too many open files")
    guard let input = Pipe() else { throw tooMany }
    guard let output = Pipe() else {
      input.close()
      throw tooMany
    }
    guard let errors = Pipe() else {
      input.close()
      output.close()
      throw tooMany
    }
    do throws(ProcessGroup.Failure) {
      group = try ProcessGroup(
        script: Self.script, ["sh", address.path.isEmpty ? "." : address.path, address.host],
        environment: environment, input: .descriptor(input.reading),
        output: .descriptor(output.writing), errors: .descriptor(errors.writing), further: life)
    } catch {
      for pipe in [input, output, errors] { pipe.close() }
      throw error
    }
    for end in [input.reading, output.writing, errors.writing] { closeDescriptor(end) }
    self.address = address
    (self.input, self.output, self.errors) = (input.writing, output.reading, errors.reading)
    for end in [self.input, self.output, self.errors] { Pipe.setNonblocking(end) }
  }

  /// Whether the program still has to be sent a part of the request.
  var hasUnsent: Bool { !unsent.isEmpty && input >= 0 }

  /// Begins to send a request.
  func send(_ line: [UInt8]) {
    unsent = line[...]
    sendMore()
  }

  /// Sends as much of the request as the program takes.
  func sendMore() {
    while hasUnsent {
      let count = unsent.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count > 0 {
        unsent = unsent.dropFirst(count)
      } else if count < 0, errno == EINTR {
        continue
      } else {
        // If the program has closed its input, its output ends or its time limit passes.
        if count < 0, errno != EAGAIN { unsent = [] }
        return
      }
    }
  }

  /// Reads what the program has written to its standard output.
  ///
  /// - Returns: False at the end of the output.
  func readOutput() -> Bool { read(&output) { received += $0 } }

  /// Reads what the program has written to its standard error, and keeps the end.
  func readErrors() {
    _ = read(&errors) { bytes in
      lastErrors += bytes
      if lastErrors.count > 2 * Self.keptErrors {
        lastErrors.removeFirst(lastErrors.count - Self.keptErrors)
      }
    }
  }

  private func read(_ descriptor: inout Int32, _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
    guard descriptor >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    for _ in 0..<Self.turns {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
      #else
        let count = Darwin.read(descriptor, &buffer, buffer.count)
      #endif
      if count > 0 {
        take(buffer[..<count])
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN {
        return true
      } else {
        closeDescriptor(descriptor)
        descriptor = -1
        return false
      }
    }
    return true
  }

  /// The number of bytes of the unfinished line.
  var unfinished: Int { received.count }

  /// The index of the first line break in the output, or `nil` if there is none.
  private var lineEnd: Int? {
    received.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, searched < bytes.count,
        let found = memchr(start + searched, 10, bytes.count - searched)
      else { return nil }
      return start.distance(to: UnsafeRawPointer(found))
    }
  }

  /// Removes the next line that isn't blank from the output, or returns `nil` if there is none.
  ///
  /// - Parameter isEnd: Whether the output has ended, so that its last line needs no line break.
  func nextLine(isEnd: Bool) -> ArraySlice<UInt8>? {
    while true {
      let line: ArraySlice<UInt8>
      if let end = lineEnd {
        line = received[..<end]
        received.removeSubrange(...end)
      } else if isEnd, !received.isEmpty {
        line = received[...]
        received = []
      } else {
        searched = received.count
        return nil
      }
      searched = 0
      if line.contains(where: { $0 > 0x20 }) { return line }
    }
  }

  /// Looks whether the program has ended.
  func checkStatus() {
    if status == nil { status = group.status() }
  }

  /// The end of the program's output in words.
  var ending: String {
    status.map { "ended with exit status \($0)" } ?? "closed its standard output"
  }

  /// The last line of the program's standard error after a colon, or an empty text for none.
  var lastWords: String {
    readErrors()
    let text = String(decoding: lastErrors, as: UTF8.self)
    let last = text.split(whereSeparator: \.isNewline).last {
      $0.contains { !$0.isWhitespace }
    }
    return last.map { ": \(ReplyLine.shortened(String($0)))" } ?? ""
  }

  /// Closes the program's input, so that a program in good order ends.
  func closeInput() {
    closeDescriptor(input)
    input = -1
  }

  /// Closes all streams, and asks the program to end unless it has ended.
  func askToEnd() {
    for descriptor in [input, output, errors] { closeDescriptor(descriptor) }
    (input, output, errors) = (-1, -1, -1)
    checkStatus()
    if status == nil { group.askToEnd() }
  }

  /// Ends the program.
  func end() {
    askToEnd()
    if status == nil { group.end() }
  }
}
