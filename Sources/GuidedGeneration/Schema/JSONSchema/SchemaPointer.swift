/// JSON pointers (RFC 6901) into a schema document.
enum SchemaPointer {
  /// The pointer to a definition, or `#` for the root itself.
  static func reference(to name: String) -> String {
    name == SchemaNode.rootName ? "#" : "#/$defs/" + escaped(name)
  }

  /// The name that a reference points to, nil for a reference of another form.
  static func name(in reference: String) -> String? {
    if reference == "#" { return SchemaNode.rootName }
    for prefix in ["#/$defs/", "#/definitions/"] where reference.hasPrefix(prefix) {
      let name = reference.dropFirst(prefix.count)
      guard !name.isEmpty, !name.contains("/") else { return nil }
      return unescaped(name)
    }
    return nil
  }

  /// The pointer to a member; one that nobody can read does not grow further.
  static func child(of path: String, _ key: String) -> String {
    path.utf8.count < longestPath ? path + "/" + escaped(key) : path
  }

  private static let longestPath = 4096

  private static func escaped(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.append(character)
      }
    }
  }

  private static func unescaped(_ name: Substring) -> String {
    var text = ""
    var rest = name
    while let character = rest.popFirst() {
      guard character == "~", let code = rest.first, code == "0" || code == "1" else {
        text.append(character)
        continue
      }
      rest.removeFirst()
      text.append(code == "0" ? "~" : "/")
    }
    return text
  }
}
