import EvalFindings
import EvalRecords
import StructuredText

/// A decoded value as nested lists, with the type of each node, up to a maximum depth and size.
struct ValueTree {
  /// The paths of failed assertions; the tree marks the values at these paths.
  let failing: Set<String>

  private static let maximumDepth = 12
  private static let maximumNodes = 200

  func write(_ value: JSONValue, name: String, to w: inout HTMLWriter) {
    var left = Self.maximumNodes
    w.element("ul", .class("tree")) { w in
      node(value, name: name, path: "$", depth: 0, left: &left, to: &w)
    }
    if left <= 0 { w.note("The rest is not shown.") }
  }

  private func node(
    _ value: JSONValue, name: String, path: String, depth: Int, left: inout Int,
    to w: inout HTMLWriter
  ) {
    guard left > 0 else { return }
    left -= 1
    var remaining = left
    w.element("li") { w in
      w.text(VisibleText.line(name) + " ")
      w.element("span", .class("type"), text: value.typeName)
      if let text = Self.text(of: value) {
        w.text(" ")
        w.element("span", .class(failing.contains(path) ? "marked" : ""), text: text)
      }
      let children = Self.children(of: value, path: path)
      guard !children.isEmpty else { return }
      if depth >= Self.maximumDepth {
        w.text(" …")
      } else {
        w.element("ul") { w in
          for child in children {
            node(
              child.value, name: child.name, path: child.path, depth: depth + 1, left: &remaining,
              to: &w)
          }
        }
      }
    }
    left = remaining
  }

  private static func text(of value: JSONValue) -> String? {
    switch value {
    case .null: nil
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): ClippedText(number.text, limit: 60).text
    case .string(let text):
      text.isEmpty ? "empty" : "“\(ClippedText(VisibleText.line(text), limit: 160).text)”"
    case .array(let elements): NumberText.count(elements.count, "element")
    case .object: nil
    }
  }

  private static func children(
    of value: JSONValue, path: String
  ) -> [(name: String, path: String, value: JSONValue)] {
    switch value {
    case .array(let elements):
      elements.prefix(maximumNodes).enumerated().map {
        ("\($0)", path + JSONPlace.Step.index($0).text, $1)
      }
    case .object(let members):
      members.prefix(maximumNodes).map {
        ($0.key, path + JSONPlace.Step.name($0.key).text, $0.value)
      }
    default: []
    }
  }
}
