extension [FaultServer.Step] {
  /// Returns the steps of a complete reply, which states its length.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - body: The body.
  ///   - headers: Additional headers.
  ///   - length: The length that the reply states, or nil for the true length.
  public static func reply(
    _ status: Int = 200, _ body: String, headers: [String: String] = [:], length: Int? = nil
  ) -> Self {
    reply(status, bytes: [UInt8](body.utf8), headers: headers, length: length)
  }

  /// Returns the steps of a complete reply with a body of bytes.
  public static func reply(
    _ status: Int = 200, bytes: [UInt8], headers: [String: String] = [:], length: Int? = nil
  ) -> Self {
    [.send(head(status, length ?? bytes.count, headers)), .send(bytes)]
  }

  /// Returns the status line and the headers of a reply; if `length` is nil, they state no length.
  public static func head(
    _ status: Int, _ length: Int?, _ headers: [String: String] = [:]
  ) -> [UInt8] {
    var text = "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n"
    if let length { text += "Content-Length: \(length)\r\n" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    return [UInt8]((text + "\r\n").utf8)
  }
}
