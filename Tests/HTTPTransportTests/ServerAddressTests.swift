import HTTPTransport
import Testing

@Suite struct ServerAddressTests {
  static let readable: [(text: String, address: String, isLoopback: Bool)] = [
    ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1", true),
    ("localhost:11434", "http://localhost:11434", true),
    ("api.example.com", "https://api.example.com", false),
    ("HTTPS://API.Example.com:8443/a/b", "https://api.example.com:8443/a/b", false),
    ("http://[::1]:9000", "http://[::1]:9000", true),
    ("127.0.0.1.example.com", "https://127.0.0.1.example.com", false),
    ("http://10.0.0.2", "http://10.0.0.2", false),
    ("http://10.0.0.2/a@b", "http://10.0.0.2/a@b", false),
  ]

  @Test("addresses are normalized; the default scheme is https, except for this machine")
  func checkReadable() throws {
    for (text, address, isLoopback) in Self.readable {
      let read = try ServerAddress(parsing: text)
      #expect(read.description == address)
      #expect(read.isLoopback == isLoopback, "\(text)")
    }
  }

  static let unreadable: [(text: String, problem: ServerAddress.Problem)] = [
    ("ftp://x", .scheme("ftp")), ("http://", .host("")), ("http://a b", .host("a b")),
    ("http://x:0", .port("0")), ("http://x:70000", .port("70000")), ("x:", .port("")),
    ("https://user:key@x", .userInfo), ("http://x/v1?key=1", .query), ("http://x#a", .query),
    ("ftp://user:key@x", .userInfo), ("user:key@x", .userInfo), ("http://u:key/a@x", .userInfo),
    ("http://x/a b", .characters), ("http://x\r\ny", .host("x\r\ny")),
  ]

  @Test("an invalid address is rejected, and the error says what is wrong")
  func checkUnreadable() {
    for (text, problem) in Self.unreadable {
      #expect(throws: problem, "\(text)") { try ServerAddress(parsing: text) }
    }
  }

  @Test("the description of a header with a key never shows the key")
  func secrets() throws {
    let secret = SecretHeader("Authorization", "Bearer sesame")
    let request = HTTPRequest(
      address: try ServerAddress(parsing: "x"), path: "/", secret: secret)
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(secret)", "\(request)", String(reflecting: request), dumped] {
      #expect(!text.contains("sesame"))
    }
  }
}
