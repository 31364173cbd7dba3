import StructuredText

/// Facts about a schema document as a whole.
enum DocumentTraits {
  private static let limit = 200_000

  /// Returns whether an object in the document has `x-order`, which identifies Apple's dialect.
  static func hasOrder(_ document: JSONValue) -> Bool {
    var found = false
    visit(document) { object, _ in if object["x-order"]?.array != nil { found = true } }
    return found
  }

  /// Returns the pointers to the schemas that have an `$anchor`, or an `$id` that acts as an
  /// anchor.
  ///
  /// The pointers are keyed by anchor.
  static func anchors(in document: JSONValue) -> [String: String] {
    var anchors: [String: String] = [:]
    visit(document) { object, path in
      if let name = object["$anchor"]?.string, anchors[name] == nil { anchors[name] = path }
      for keyword in ["$id", "id"] {
        guard let id = object[keyword]?.string, id.hasPrefix("#"), id.count > 1 else { continue }
        let name = String(id.dropFirst())
        if anchors[name] == nil { anchors[name] = path }
      }
    }
    return anchors
  }

  private static func visit(_ document: JSONValue, _ body: (JSONObject, String) -> Void) {
    var open: [(value: JSONValue, path: String)] = [(document, "#")]
    var steps = 0
    while let (value, path) = open.popLast(), steps < limit {
      steps += 1
      switch value {
      case .object(let object):
        body(object, path)
        for member in object.members {
          // The contents of these keywords are data, not schemas.
          if ["enum", "const", "default", "example", "examples"].contains(member.key) { continue }
          switch member.value {
          case .object, .array:
            open.append((member.value, SchemaPointer.child(of: path, member.key)))
          default: break
          }
        }
      case .array(let elements):
        for (index, element) in elements.enumerated() {
          open.append((element, SchemaPointer.child(of: path, String(index))))
        }
      default: break
      }
    }
  }
}
