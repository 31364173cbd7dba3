/// A page of HTML as a list of tags and texts, read by a strict tokenizer.
///
/// The tokenizer accepts only what the program should write: tags whose attributes have either a
/// value in double quotes or no value, and known entities. It records anything else as a problem,
/// except unknown entities in attribute values.
struct ParsedHTML {
  struct Tag {
    let name: String
    let attributes: [(name: String, value: String)]

    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  private(set) var tags: [Tag] = []
  private(set) var texts: [String] = []
  private(set) var problems: [String] = []
  /// The contents of `style` elements, and of `script` elements other than the data block.
  private(set) var assets: [(name: String, text: String)] = []
  /// The content of the JSON data block.
  private(set) var data = ""

  private static let voids: Set<String> = ["meta", "link", "input"]

  init(_ page: String) {
    var rest = Substring(page)
    guard rest.hasPrefix("<!doctype html>") else {
      problems.append("no document type")
      return
    }
    rest = rest.dropFirst("<!doctype html>".count)
    var open: [String] = []
    while let start = rest.firstIndex(of: "<") {
      addText(rest[..<start])
      rest = rest[rest.index(after: start)...]
      if rest.first == "/" {
        let name = String(rest.dropFirst().prefix { $0 != ">" })
        rest = rest.dropFirst(name.count + 2)
        if open.popLast() != name { problems.append("</\(name)> does not close anything") }
        continue
      }
      guard let tag = Self.tag(&rest) else {
        problems.append("malformed tag before \(rest.prefix(40))")
        return
      }
      tags.append(tag)
      if tag.name == "style" || tag.name == "script" {
        guard let end = rest.firstRange(of: "</\(tag.name)>") else {
          problems.append("<\(tag.name)> is not closed")
          return
        }
        let content = String(rest[..<end.lowerBound])
        if tag.attribute("type") == "application/json" {
          data = content
        } else {
          assets.append((tag.name, content))
        }
        rest = rest[end.upperBound...]
      } else if !Self.voids.contains(tag.name) {
        open.append(tag.name)
      }
    }
    addText(rest)
    if !open.isEmpty { problems.append("not closed: \(open)") }
  }

  /// All text outside tags, style sheets and scripts.
  var text: String { texts.joined() }

  var ids: [String] { tags.compactMap { $0.attribute("id") } }

  private mutating func addText(_ source: Substring) {
    if source.contains(">") { problems.append("a bare > in text") }
    texts.append(Self.decoded(source, &problems))
  }

  private static func tag(_ rest: inout Substring) -> Tag? {
    func isName(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || character == "-")
    }
    let name = String(rest.prefix(while: isName))
    guard !name.isEmpty else { return nil }
    rest = rest.dropFirst(name.count)
    var attributes: [(String, String)] = []
    var ignored: [String] = []
    while rest.first == " " {
      rest = rest.dropFirst()
      let attribute = String(rest.prefix(while: isName))
      rest = rest.dropFirst(attribute.count)
      guard !attribute.isEmpty else { return nil }
      guard rest.hasPrefix("=\"") else {
        attributes.append((attribute, ""))
        continue
      }
      rest = rest.dropFirst(2)
      guard let end = rest.firstIndex(of: "\"") else { return nil }
      attributes.append((attribute, decoded(rest[..<end], &ignored)))
      rest = rest[rest.index(after: end)...]
    }
    guard rest.first == ">" else { return nil }
    rest = rest.dropFirst()
    return Tag(name: name, attributes: attributes)
  }

  private static func decoded(_ source: Substring, _ problems: inout [String]) -> String {
    guard source.contains("&") else { return String(source) }
    var result = ""
    var rest = source
    let entities = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#61": "=", "#9": "\t",
      "#10": "\n",
    ]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      let name = String(rest.prefix(6).prefix { $0 != ";" })
      guard let text = entities[name] else {
        problems.append("unknown entity &\(name)")
        continue
      }
      result += text
      rest = rest.dropFirst(name.count + 1)
    }
    return result + rest
  }
}
