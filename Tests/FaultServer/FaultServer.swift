import Foundation
import Synchronization

/// A server on 127.0.0.1 that gives the replies that a test specifies, including faulty ones.
///
/// It serves a limited number of connections, each on a separate thread, until `stop()` is called.
public final class FaultServer: Sendable {
  /// One part of a reply.
  public enum Step: Sendable {
    /// Sends the bytes.
    case send([UInt8])
    /// Sends the bytes `count` times, or until the client is gone.
    case flood([UInt8], count: Int)
    /// Waits for a number of seconds, or until `stop()` is called.
    case wait(Double)
    /// Ends the connection with a reset.
    case reset
    /// Closes the connection.
    case close
  }

  /// A request as the server received it.
  public struct Request: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The path with its query.
    public var path: String
    /// The headers, by name in lowercase.
    public var headers: [String: String]
    /// The body as text.
    public var body: String
  }

  /// Returns the steps of the reply to a request; the requests are numbered from zero.
  public typealias Reply = @Sendable (_ request: Request, _ number: Int) -> [Step]

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var connectionCount = 0
    var isStopped = false
  }

  /// The number of connections after which the server stops listening.
  private static let mostConnections = 256

  /// The port that the server listens on.
  public let port: Int
  private let listener: Int32
  private let state = Mutex(State())
  /// Has a member as long as the server listens.
  private let listening = DispatchGroup()
  private let reply: Reply

  /// Creates a server and starts it.
  ///
  /// - Parameter reply: A closure that answers each request; the requests are numbered from zero.
  /// - Throws: `POSIXError` if no port is free.
  public init(_ reply: @escaping Reply) throws {
    self.reply = reply
    listener = socket(AF_INET, SocketKind.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: address.sin_port))
    listening.enter()
    let thread = Thread { [self] in accept() }
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// The address of the server.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far.
  public var requests: [Request] { state.withLock(\.requests) }

  /// The number of connections so far.
  public var connectionCount: Int { state.withLock(\.connectionCount) }

  /// Ends the server and all its connections, and waits until nothing listens on the port.
  public func stop() {
    let connections = state.withLock { state in
      let isFirst = !state.isStopped
      state.isStopped = true
      return isFirst ? state.connections : []
    }
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    shutdown(listener, Int32(SHUT_RDWR))
    _ = listening.wait(timeout: .now() + 10)
  }

  private func accept() {
    while true {
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else { break }
      let isAllowed = state.withLock { state in
        guard !state.isStopped, state.connectionCount < Self.mostConnections else { return false }
        state.connections.insert(connection)
        state.connectionCount += 1
        return true
      }
      guard isAllowed else {
        close(connection)
        break
      }
      let thread = Thread { [self] in serve(connection) }
      thread.stackSize = 256 << 10
      thread.start()
    }
    close(listener)
    listening.leave()
  }

  private func serve(_ connection: Int32) {
    var stream = RequestStream(connection: connection)
    requests: while let request = stream.next() {
      let number = state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
      for step in reply(request, number) where !carryOut(step, connection) { break requests }
    }
    state.withLock { _ = $0.connections.remove(connection) }
    close(connection)
  }

  /// Carries out a step, and returns whether the connection stays open after it.
  private func carryOut(_ step: Step, _ connection: Int32) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes, connection)
    case .flood(let bytes, let count):
      for _ in 0..<count where !send(bytes, connection) { return false }
      return true
    case .wait(let seconds):
      let end = Date(timeIntervalSinceNow: seconds)
      while Date() < end {
        if state.withLock(\.isStopped) { return false }
        Thread.sleep(forTimeInterval: min(0.01, seconds))
      }
      return true
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return false
    case .close: return false
    }
  }

  private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, SocketKind.noSignal)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

/// Reads requests from a connection.
private struct RequestStream {
  let connection: Int32
  private var buffer: [UInt8] = []

  init(connection: Int32) { self.connection = connection }

  mutating func next() -> FaultServer.Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = buffer.firstRange(of: end) {
        let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
            .trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while buffer.count < range.upperBound + length { guard receive() else { return nil } }
        let body = buffer[range.upperBound..<range.upperBound + length]
        buffer.removeFirst(range.upperBound + length)
        guard words.count >= 2 else { return nil }
        return FaultServer.Request(
          method: words[0], path: words[1], headers: headers,
          body: String(decoding: body, as: UTF8.self))
      }
      guard receive() else { return nil }
    }
  }

  private mutating func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(connection, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    buffer += bytes[..<count]
    return true
  }
}

/// Constants whose types differ between operating systems.
private enum SocketKind {
  #if canImport(Darwin)
    static let stream = SOCK_STREAM
    static let noSignal: Int32 = 0
  #else
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
