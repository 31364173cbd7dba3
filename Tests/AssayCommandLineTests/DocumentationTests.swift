import Foundation
import Testing

@testable import AssayCommandLine

/// Compares the documents with the commands and options that the program declares.
@Suite("Command lines in the documents")
struct DocumentationTests {
  /// The documents of the project, by path.
  static func documents() throws -> [(path: String, text: String)] {
    var paths = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "reports/README.md"]
    for folder in ["docs", "evals"] {
      let names = try FileManager.default.subpathsOfDirectory(
        atPath: Checkout.root.appendingPathComponent(folder).path)
      // Design documents are left out, because they may mention more than the program can do.
      paths += names.filter { $0.hasSuffix(".md") || $0.hasSuffix(".yml") }
        .filter { !$0.hasSuffix("-design.md") }.sorted().map { "\(folder)/\($0)" }
    }
    return try paths.map {
      ($0, try String(contentsOf: Checkout.root.appendingPathComponent($0), encoding: .utf8))
    }
  }

  private static let commands = Dictionary(
    uniqueKeysWithValues: AssayProgram.commands.map {
      ($0.specification.name, $0.specification)
    })

  /// Returns the code in a text: fenced blocks, and the spans between backticks.
  static func code(in text: String) -> [String] {
    var code: [String] = []
    var isBlock = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isBlock.toggle()
      } else if isBlock {
        code.append(String(line.prefix { $0 != "#" }))
      } else {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        code += parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      }
    }
    return code
  }

  /// A command line in a document: the name of the command, and its options.
  struct Mention: Equatable {
    var command: String
    var options: [String]
  }

  /// Returns the command lines in a piece of code.
  ///
  /// A pipe, a semicolon or an ampersand ends a command line.
  static func mentions(in code: String) -> [Mention] {
    var mentions: [Mention] = []
    for part in code.split(whereSeparator: { "|;&".contains($0) }) {
      let words = part.split(separator: " ").map(String.init)
      guard let start = words.firstIndex(where: { $0 == "assay" || $0.hasSuffix("/assay") }),
        words.indices.contains(start + 1)
      else { continue }
      let name = words[start + 1]
      guard name.allSatisfy({ $0.isLetter && $0.isLowercase }) else { continue }
      let options = words[(start + 2)...].filter { $0.hasPrefix("--") && $0.count > 2 }
        .map { String($0.dropFirst(2).prefix { $0.isLetter || $0.isNumber || $0 == "-" }) }
      mentions.append(Mention(command: name, options: options))
    }
    return mentions
  }

  @Test("docs/commands.md is the reference that the program writes")
  func commandReference() throws {
    let text = try #require(try Self.documents().first { $0.0 == "docs/commands.md" }?.1)
    #expect(
      text == CommandReference.markdown,
      "write it with `assay help --markdown > docs/commands.md`")
  }

  @Test("the command lines in the documents contain only commands and options that exist")
  func mentionsExist() throws {
    var checked = 0
    for (path, text) in try Self.documents() where path != "docs/commands.md" {
      for line in Self.code(in: text) {
        for mention in Self.mentions(in: line) {
          checked += 1
          guard let command = Self.commands[mention.command] else {
            #expect(
              ["help", "version"].contains(mention.command), "\(path): assay \(mention.command)")
            continue
          }
          let known = Set(command.allOptions.map(\.name))
          for option in mention.options {
            #expect(known.contains(option), "\(path): assay \(mention.command) --\(option)")
          }
        }
      }
    }
    #expect(checked > 60, "only \(checked) command lines were found")
  }

  @Test("every option that a document mentions belongs to a command or a script")
  func optionsExist() throws {
    let scripts = try FileManager.default.subpathsOfDirectory(
      atPath: Checkout.root.appendingPathComponent("scripts").path)
    var others = ""
    for name in scripts + ["../Sources/assay-benchmark"] {
      let url = Checkout.root.appendingPathComponent("scripts/\(name)")
      others += (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }
    let benchmark = Checkout.root.appendingPathComponent("Sources/assay-benchmark")
    for name in try FileManager.default.subpathsOfDirectory(atPath: benchmark.path) {
      others +=
        (try? String(contentsOf: benchmark.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }
    let known = Set(Self.commands.values.flatMap { $0.allOptions.map(\.name) })
    for (path, text) in try Self.documents() {
      for span in Self.code(in: text) where span.hasPrefix("--") && span.count > 3 {
        let name = span.dropFirst(2).prefix { $0.isLetter || $0.isNumber || $0 == "-" }
        #expect(known.contains(String(name)) || others.contains("--\(name)"), "\(path): \(span)")
      }
    }
  }

  @Test("the documents mention only exit statuses that exist")
  func exitStatuses() throws {
    // The exit statuses. The test uses only the numbers; the words tell the reader what they mean.
    let words = [
      0: ["pass", "sound"], 1: ["gate", "regress", "miss", "found", "damaged", "differ", "worse"],
      2: ["interrupt", "stop", "missing", "skipped", "kept", "budget"],
      3: ["run", "writ", "saved", "disk", "file", "refused"],
      4: ["wrong", "usage", "comparable", "suite", "nothing is run", "error", "name"],
      5: ["select"],
    ]
    for (path, text) in try Self.documents() {
      let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
      for part in flat.components(separatedBy: "exit status ").dropFirst() {
        guard let number = part.first?.wholeNumberValue, part.dropFirst().first != "." else {
          continue
        }
        #expect(words[number] != nil, "\(path): exit status \(number)")
      }
    }
  }

  @Test("an option has the same default in the documents as in the program")
  func defaults() throws {
    var checked = 0
    let specifications = Self.commands.values.flatMap(\.options)
    for (path, text) in try Self.documents() where path != "docs/commands.md" {
      let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for part in flat.components(separatedBy: "`--").dropFirst() {
        let name = String(part.prefix { $0.isLetter || $0 == "-" })
        let rest = part.drop { $0 != "`" }.dropFirst()
        guard rest.hasPrefix(", default ") else { continue }
        let value = rest.dropFirst(", default ".count)
          .prefix { $0.isLetter || $0.isNumber || $0 == "." }
        let known = Set(specifications.filter { $0.name == name }.compactMap(\.defaultValue))
        checked += 1
        let wanted = value.hasSuffix(".") ? String(value.dropLast()) : String(value)
        #expect(known.contains(wanted), "\(path): --\(name), default \(value)")
      }
    }
    #expect(checked > 0)
  }

  /// Returns the anchors of a document's headings, as GitHub makes them.
  static func anchors(in text: String) -> Set<String> {
    let prose = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }
    let lines = prose.flatMap { $0.element.components(separatedBy: "\n") }
    return Set(
      lines.filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
          .replacing(" ", with: "-")
      })
  }

  @Test("every link in the documents leads to a file and, if it names one, to a heading in it")
  func links() throws {
    let changes = Checkout.root.appendingPathComponent("CHANGELOG.md")
    let documents =
      try Self.documents() + [("CHANGELOG.md", try String(contentsOf: changes, encoding: .utf8))]
    var checked = 0
    for (path, text) in documents where path.hasSuffix(".md") {
      let page = Checkout.root.appendingPathComponent(path)
      let prose = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }
      for match in prose.map(\.element).joined().matches(of: /\]\(([^)\s#]*)(?:#([^)\s]*))?\)/) {
        let target = String(match.output.1)
        if target.contains("://") { continue }
        checked += 1
        let file =
          target.isEmpty ? page : page.deletingLastPathComponent().appendingPathComponent(target)
        guard FileManager.default.fileExists(atPath: file.standardized.path) else {
          Issue.record("\(path): there is no \(target)")
          continue
        }
        guard let heading = match.output.2, target.isEmpty || target.hasSuffix(".md") else {
          continue
        }
        let anchors = Self.anchors(in: try String(contentsOf: file, encoding: .utf8))
        #expect(anchors.contains(String(heading)), "\(path): \(target)#\(heading)")
      }
    }
    #expect(checked > 200)
  }

  @Test(
    "headings have the anchors that GitHub gives them",
    arguments: [
      ("## Where do I change X?", "where-do-i-change-x"),
      ("### `generates`", "generates"),
      ("# A gate, for one model", "a-gate-for-one-model"),
    ])
  func checkAnchor(heading: String, anchor: String) {
    #expect(Self.anchors(in: heading) == [anchor])
  }

  @Test("the document reader finds command lines in code blocks and between backticks")
  func reader() {
    let text = """
      Say `assay run --jobs 2 evals` or `--cache`:
      ```sh
      scripts/assay compare a b --format json | jq .   # assay nothing
      ```
      """
    let code = Self.code(in: text)
    #expect(code.contains("--cache"))
    #expect(
      code.flatMap(Self.mentions) == [
        Mention(command: "run", options: ["jobs"]),
        Mention(command: "compare", options: ["format"]),
      ])
  }
}
