extension GenerationSchema {
  /// A guide that can't be enforced, and its place.
  package struct UnsupportedGuide: Hashable, CustomStringConvertible {
    /// The place, as `Type.property`.
    var place: String
    var reason: String

    package var description: String { "\(place): \(reason)" }
  }

  /// The first guide that can't be enforced, or `nil` if all guides can be.
  ///
  /// A choice without alternatives can't be enforced, and neither can a regular expression that
  /// can't be written as text.
  package var unsupportedGuide: UnsupportedGuide? {
    var found: UnsupportedGuide?
    func check(_ node: SchemaNode, at place: String) {
      guard found == nil else { return }
      switch node {
      case .string(let string):
        if string.choices?.isEmpty == true {
          found = UnsupportedGuide(place: place, reason: "there is nothing to choose from")
        } else if let reason = string.patterns.lazy.compactMap(PatternText.unwritableReason).first {
          found = UnsupportedGuide(place: place, reason: reason)
        }
      case .array(let array):
        for node in array.prefix + [array.element] { check(node, at: place + "[]") }
      case .object(let object):
        for property in object.properties {
          check(property.node, at: "\(object.name ?? place).\(property.name)")
        }
        for node in object.extra?.children ?? [] { check(node, at: place + "[*]") }
      case .union(let union): for choice in union.choices { check(choice, at: place) }
      case .integer, .number, .boolean, .constant, .null, .reference, .any: break
      }
    }
    check(root, at: root.name ?? name)
    for definition in definitions { check(definition.node, at: definition.name) }
    return found
  }
}
