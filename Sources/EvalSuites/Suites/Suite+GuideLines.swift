import StructuredText

extension Suite {
  /// The file that contains the schema, and the first line of each guide in it, keyed by the
  /// guide's text; `nil` if the schema isn't written as JSON Schema.
  package var guideLines: (path: String, lines: [String: Int])? {
    guard let document = schemaDocument, let root = document.node else { return nil }
    var lines: [String: Int] = [:]
    func walk(_ node: SourceNode) {
      switch node.content {
      case .scalar: return
      case .sequence(let elements): elements.forEach(walk)
      case .mapping(let members):
        for member in members {
          if member.key == "description", let text = member.node.value.string {
            lines[text] = lines[text] ?? member.keyLocation.line
          }
          walk(member.node)
        }
      }
    }
    walk(root)
    return (document.path, lines)
  }
}
