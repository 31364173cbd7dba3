import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The contents of a JUnit file, as an XML parser reads them.
final class JUnitFile: NSObject, XMLParserDelegate {
  /// The names of the test cases in order.
  private(set) var cases: [String] = []
  /// The names of the test cases that have a failure.
  private(set) var failures: [String] = []
  /// The names of the test cases that have an error.
  private(set) var errors: [String] = []
  /// The attributes of the root element.
  private(set) var root: [String: String] = [:]
  /// The attributes of each suite.
  private(set) var suites: [[String: String]] = []

  /// The error for a file that isn't XML, with the line at which the parser stopped.
  struct Failure: Error { let line: Int }

  init(_ data: Data) throws {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    guard parser.parse() else { throw Failure(line: parser.lineNumber) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch name {
    case "testsuites": root = attributes
    case "testsuite": suites.append(attributes)
    case "testcase": cases.append(attributes["name"] ?? "")
    case "failure": failures.append(cases.last ?? "")
    case "error": errors.append(cases.last ?? "")
    default: break
    }
  }
}
