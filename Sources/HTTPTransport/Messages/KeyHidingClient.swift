/// Forwards requests to another client, and replaces the request's key in what the server sends.
///
/// Some servers quote the key in their error messages, and a recording, a report or a database
/// would keep it. The client replaces it before anything reads the response.
package struct KeyHidingClient: HTTPClient {
  private let client: any HTTPClient

  /// Creates a client that hides the keys in another client's responses.
  package init(_ client: any HTTPClient) { self.client = client }

  package func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    var response = try await client.exchange(request)
    guard let key = request.secret.flatMap(QuotedKey.init) else { return response }
    response.body = key.replaced(in: response.body)
    for index in response.headers.indices {
      response.headers[index].name = key.replaced(in: response.headers[index].name)
      response.headers[index].value = key.replaced(in: response.headers[index].value)
    }
    return response
  }
}

/// A key as a server may quote it: as it is, with escapes of JSON, or with percent encoding.
struct QuotedKey {
  /// The minimum length of a key, in bytes.
  ///
  /// A shorter text may be part of an ordinary word, so replacing it could change answers.
  static let minimumLength = 8
  /// The text that replaces the key.
  static let replacement = "[key]"

  private static let backslash = UInt8(ascii: "\\")
  /// The bytes before which a text in JSON may have a backslash.
  private static let escaped: Set<UInt8> = Set("\\\"/'".utf8)

  private let key: [UInt8]

  /// Creates a key from the header that carries it, or returns `nil` if the key is too short.
  init?(_ secret: SecretHeader) {
    // The key itself has no spaces; the value may name a scheme before it, such as `Bearer`.
    key = secret.value.split(separator: " ").last.map { Array($0.utf8) } ?? []
    guard key.count >= Self.minimumLength else { return nil }
  }

  /// Returns a text without the key.
  func replaced(in text: String) -> String {
    let bytes = Array(text.utf8)
    let hidden = replaced(in: bytes)
    return hidden == bytes ? text : String(decoding: hidden, as: UTF8.self)
  }

  /// Returns bytes without the key.
  func replaced(in bytes: [UInt8]) -> [UInt8] {
    var hidden: [UInt8] = []
    var copied = 0
    var place = 0
    while place < bytes.count {
      guard let end = end(in: bytes, from: place) else {
        place += 1
        continue
      }
      hidden += bytes[copied..<place]
      hidden += Self.replacement.utf8
      (copied, place) = (end, end)
    }
    return copied == 0 ? bytes : hidden + bytes[copied...]
  }

  /// Returns the end of the key that begins at a place, or `nil` if none begins there.
  private func end(in bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    for byte in key {
      guard let next = Self.end(of: byte, in: bytes, at: place) else { return nil }
      place = next
    }
    return place
  }

  /// Returns the end of a byte that is written as itself or with an escape, or `nil` if something
  /// else is there.
  private static func end(of byte: UInt8, in bytes: [UInt8], at start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    let isEscaped = escaped.contains(byte)
    if bytes[start] == byte, byte != backslash { return start + 1 }
    if bytes[start] == UInt8(ascii: "%"), number(in: bytes, at: start + 1, digits: 2) == byte {
      return start + 3
    }
    guard bytes[start] == backslash else { return nil }
    // JSON in a string of JSON has several backslashes before a character.
    var place = start
    while place < bytes.count, bytes[place] == backslash { place += 1 }
    guard place < bytes.count else { return nil }
    if bytes[place] == UInt8(ascii: "u"), number(in: bytes, at: place + 1, digits: 4) == byte {
      return place + 5
    }
    // Each of a key's backslashes may itself be doubled.
    if byte == backslash { return start + (place - start > 1 ? 2 : 1) }
    return isEscaped && bytes[place] == byte ? place + 1 : nil
  }

  /// Returns the byte that hexadecimal digits name, or `nil` if they name none.
  private static func number(in bytes: [UInt8], at start: Int, digits: Int) -> UInt8? {
    guard start + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[start..<start + digits] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | digit
    }
    return UInt8(exactly: value)
  }
}
