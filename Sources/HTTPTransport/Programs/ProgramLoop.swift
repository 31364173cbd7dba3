import CTransport
import Dispatch
import Synchronization
import SystemBasics

/// The thread that handles the exchanges of a `ProgramClient`.
final class ProgramLoop: @unchecked Sendable {
  private typealias Exchange = ExchangeQueue.Exchange

  /// The time in seconds that a program gets to end by itself, after its input was closed and again
  /// after a signal asked it to end.
  private static let grace = 1.0
  /// The time in seconds in which the rest of an ended program's output is read.
  private static let rest = 0.5

  private let environment: [String: String]
  private let elapsed: @Sendable () -> Double
  private let exchanges: ExchangeQueue
  private let isStarted = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  private let wakePipe: Pipe?

  // Only the thread uses these properties.
  /// The pipe whose writing end closes when this process dies.
  private var life: Pipe?
  private var programs: [LineProgram] = []
  /// The programs that were asked to end, with the time at which they are killed.
  private var leaving: [(program: LineProgram, deadline: Double)] = []
  /// The addresses of programs that have answered a request.
  private var answered: Set<ServerAddress> = []

  init(environment: [String: String], elapsed: @escaping @Sendable () -> Double) {
    self.environment = environment
    self.elapsed = elapsed
    let pipe = Pipe()
    wakePipe = pipe
    exchanges = ExchangeQueue {
      guard let pipe else { return }
      var byte: UInt8 = 0
      _ = write(pipe.writing, &byte, 1)
    }
    if let pipe {
      Pipe.setNonblocking(pipe.reading)
      Pipe.setNonblocking(pipe.writing)
    }
  }

  deinit { wakePipe?.close() }

  // MARK: Calls from other threads

  /// Sends a request to a program, and waits for its reply; the first call starts the thread.
  func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    if !isStarted.exchange(true, ordering: .relaxed) { DetachedThread.start { self.run() } }
    return try await exchanges.exchange(request)
  }

  /// Cancels the exchanges in progress, ends all programs, and waits for their end.
  func stop() {
    exchanges.stop()
    if isStarted.load(ordering: .relaxed) { ended.wait() }
  }

  // MARK: The thread

  private var now: Double { elapsed() }

  private func run() {
    assay_transport_block_signals()
    life = Pipe()
    while let (begun, cancelled) = exchanges.take() {
      for number in cancelled {
        if let program = programs.first(where: { $0.exchange?.number == number }) {
          program.exchange = nil
          dismiss(program)
        }
      }
      for exchange in begun { assign(exchange) }
      poll()
      for program in programs where program.exchange != nil { advance(program) }
      endLeaving()
    }
    exchanges.cancelAll()
    endAll()
    life?.close()
    ended.signal()
  }

  /// Gives an exchange to a free program, or to a new one.
  private func assign(_ exchange: Exchange) {
    let address = exchange.request.address
    for program in programs where program.address == address && program.exchange == nil {
      program.checkStatus()
      if program.status == nil { return send(exchange, to: program) }
      dismiss(program)
    }
    startProgram(for: exchange)
  }

  private func startProgram(for exchange: Exchange) {
    guard let life else { return finish(exchange, .failure(.other("too many open files"))) }
    do throws(ProcessGroup.Failure) {
      let program = try LineProgram(
        exchange.request.address, environment: environment, life: life.reading)
      programs.append(program)
      send(exchange, to: program)
    } catch {
      finish(
        exchange, .failure(.programEnded("the program can't be started: \(error.reason)")))
    }
  }

  private func send(_ exchange: Exchange, to program: LineProgram) {
    program.exchange = exchange
    program.start = now
    // The body is a JSON object; its id is the first member, so that a shell can find it.
    let members = (exchange.request.body ?? []).drop { $0 == UInt8(ascii: "{") }
    let comma = members.first == UInt8(ascii: "}") ? "" : ","
    program.send(Array("{\"id\":\(exchange.number)\(comma)".utf8) + members + [10])
  }

  /// Waits until a program can read or has written something, or until it is time to look.
  private func poll() {
    var descriptors: [pollfd] = []
    var handlers: [(LineProgram, Role)] = []
    func add(_ descriptor: Int32, _ events: Int32, _ program: LineProgram, _ role: Role) {
      guard descriptor >= 0 else { return }
      descriptors.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
      handlers.append((program, role))
    }
    for program in programs {
      if program.hasUnsent { add(program.input, Int32(POLLOUT), program, .input) }
      // A program without a request may only end; what it writes waits in the pipe.
      add(program.output, program.exchange == nil ? 0 : Int32(POLLIN), program, .output)
      add(program.errors, Int32(POLLIN), program, .errors)
    }
    if let wakePipe {
      descriptors.append(pollfd(fd: wakePipe.reading, events: Int16(POLLIN), revents: 0))
    }
    FileReadiness.wait(for: &descriptors, atMost: longestWait)
    if let wakePipe, descriptors.last?.revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 256)
      while read(wakePipe.reading, &bytes, bytes.count) == bytes.count {}
    }
    for (descriptor, (program, role)) in zip(descriptors, handlers) where descriptor.revents != 0 {
      switch role {
      case .input: program.sendMore()
      case .errors: program.readErrors()
      case .output where program.exchange == nil: dismiss(program)
      case .output: if !program.readOutput() { program.endedAt = program.endedAt ?? now }
      }
    }
  }

  private enum Role { case input, output, errors }

  /// The time in milliseconds after which the thread looks at time limits and ends.
  private var longestWait: Int32 {
    if !leaving.isEmpty || programs.contains(where: { $0.endedAt != nil }) { return 10 }
    let limits = programs.compactMap { program in
      program.exchange.map { program.start + $0.request.timeLimit.seconds - now }
    }
    guard let first = limits.min() else { return 1000 }
    return Int32(min(200, max(1, first * 1000 + 1)))
  }

  /// Takes a program's reply, or notices that it will not come.
  private func advance(_ program: LineProgram) {
    guard let exchange = program.exchange else { return }
    let limit = exchange.request.timeLimit
    program.checkStatus()
    if program.status != nil {
      _ = program.readOutput()
      program.endedAt = program.endedAt ?? now
    }
    let isEnd = program.output < 0
    if let line = program.nextLine(isEnd: isEnd) {
      if let problem = ReplyLine.problem(with: line, for: exchange.number) {
        return fail(program, exchange, problem)
      }
      let response = HTTPResponse(
        status: 200, body: Array(line), duration: now - program.start,
        connections: program.answers == 0 ? 1 : 0)
      program.answers += 1
      program.exchange = nil
      answered.insert(program.address)
      if program.endedAt != nil { dismiss(program) }
      return finish(exchange, .success(response))
    }
    if program.unfinished > exchange.request.bodyLimit {
      return fail(program, exchange, .tooLong(limit: exchange.request.bodyLimit))
    }
    if let endedAt = program.endedAt {
      guard (isEnd && program.status != nil) || now - endedAt > Self.rest else { return }
      return takeEnd(of: program, exchange)
    }
    if now - program.start >= limit.seconds { fail(program, exchange, .timeout(limit)) }
  }

  /// Handles the end of a program that hasn't answered its request.
  private func takeEnd(of program: LineProgram, _ exchange: Exchange) {
    if program.answers > 0, program.status == 0 {
      // The program ended after its last answer, before it read this request.
      program.exchange = nil
      dismiss(program)
      return startProgram(for: exchange)
    }
    if program.answers == 0, let status = program.status, status == 126 || status == 127 {
      return fail(
        program, exchange,
        .noProgram("`\(program.address.host)` can't be run\(program.lastWords)"))
    }
    let words = "the program \(program.ending) before it answered"
    fail(
      program, exchange,
      answered.contains(program.address)
        ? .programEnded(words + program.lastWords)
        : .neverAnswered("\(words) its first request\(program.lastWords)"))
  }

  private func fail(_ program: LineProgram, _ exchange: Exchange, _ failure: HTTPFailure) {
    program.exchange = nil
    dismiss(program)
    finish(exchange, .failure(failure))
  }

  private func finish(_ exchange: Exchange, _ ending: ExchangeQueue.Ending) {
    exchanges.finish(exchange.number, ending)
  }

  // MARK: Ends

  /// Removes a program, and asks it to end.
  private func dismiss(_ program: LineProgram) {
    programs.removeAll { $0 === program }
    program.askToEnd()
    if program.status == nil { leaving.append((program, now + Self.grace)) }
  }

  /// Ends the programs that didn't end when they were asked to.
  private func endLeaving() {
    leaving.removeAll { program, deadline in
      program.checkStatus()
      if program.status == nil, now > deadline { program.end() }
      return program.status != nil || now > deadline
    }
  }

  /// Ends all programs: first by the end of their input, then by a request, then by force.
  private func endAll() {
    for program in programs { program.closeInput() }
    let deadline = now + Self.grace
    while now < deadline {
      for program in programs {
        program.readErrors()
        program.checkStatus()
      }
      if programs.allSatisfy({ $0.status != nil }) { break }
      usleep(2000)
    }
    for program in programs { dismiss(program) }
    while !leaving.isEmpty {
      endLeaving()
      if !leaving.isEmpty { usleep(2000) }
    }
  }
}

extension Duration {
  /// The duration in seconds.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
