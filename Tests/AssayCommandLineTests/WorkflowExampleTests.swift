import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("Examples for continuous integration")
struct WorkflowExampleTests {
  @Test(
    "each example is valid YAML, and uses only commands and options that exist",
    arguments: ["github-actions.yml", "gitlab-ci.yml"])
  func example(name: String) throws {
    let file = Checkout.root.appendingPathComponent("docs/ci/\(name)")
    let node = try YAMLReader.read(try String(contentsOf: file, encoding: .utf8))
    var commands = 0
    for text in Self.texts(node.value) {
      for line in text.replacing("\\\n", with: " ").split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        guard words.first == "assay", words.count > 1 else { continue }
        commands += 1
        let specification = try #require(
          AssayProgram.commands.first { $0.specification.name == words[1] }?.specification,
          "\(line)")
        let options = Set(specification.options.map(\.name))
        for word in words.prefix(while: { $0 != "||" && $0 != ">" }) where word.hasPrefix("--") {
          #expect(options.contains(String(word.dropFirst(2))), "\(word) in \(line)")
        }
      }
    }
    #expect(commands >= 4)
  }

  private static func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    case .object(let members): members.members.flatMap { texts($0.value) }
    default: []
    }
  }
}
