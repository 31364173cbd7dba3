import HTTPTransport
import Testing

@Suite("The text of a response")
struct ResponseTextTests {
  private static let cases: [(body: [UInt8], type: String?, text: String?)] = [
    (Array("é".utf8), nil, "é"), (Array("é".utf8), "application/json; charset=UTF-8", "é"),
    ([0xEF, 0xBB, 0xBF, 0x61], nil, "a"), ([0xE9], nil, nil), ([0xE9], "text/html", nil),
    ([0xE9], "application/json; charset=utf-8", nil),
    ([0xE9], "application/json; Charset=\"ISO-8859-1\"", "é"),
    ([0x93], "text/plain;x=y;charset=windows-1252", "\u{201C}"),
    ([0xFE, 0xFF, 0x00, 0xE9], nil, "é"), ([0xFF, 0xFE, 0xE9, 0x00], nil, "é"),
    ([0x00, 0xE9], "text/plain; charset=utf-16", "é"),
    ([0xE9, 0x00], "text/plain; charset=utf-16le", "é"),
    ([0x80, 0x9F, 0xE4], "text/plain; charset=cp1252", "€Ÿä"),
    ([0x81], "text/plain; charset=cp1252", nil), ([0x80], "text/plain; charset=latin1", "\u{80}"),
    ([0xD8, 0x00], "text/plain; charset=utf-16", nil), ([0xE9], "text/plain; charset=utf-16", nil),
    ([0x61], "text/plain; charset=ebcdic", nil),
  ]

  @Test("the encoding that a body or its headers declare decides", arguments: cases.indices)
  func checkText(_ index: Int) {
    let item = Self.cases[index]
    let headers = item.type.map { [HTTPHeader("Content-Type", $0)] } ?? []
    let response = HTTPResponse(status: 200, headers: headers, body: item.body)
    #expect(response.text == item.text)
  }
}
