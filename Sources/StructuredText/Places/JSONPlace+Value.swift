extension JSONPlace {
  /// Returns the value at this place, or `nil` if there is none.
  ///
  /// A pattern is the place of no single value, so it gives `nil`.
  package func value(in whole: JSONValue) -> JSONValue? {
    var value = whole
    for step in steps {
      switch (step, value) {
      case (.name(let name), .object(let members)):
        guard let member = members[name] else { return nil }
        value = member
      case (.index(let index), .array(let elements)):
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
