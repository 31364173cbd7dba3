import StructuredText

/// Shows a schema as an example value, followed by a list of rules that an example can't show.
///
/// ```
/// Answer with JSON of this form:
/// {"title":"A short title","cards":[{"question":"What is asked"}],"level":"easy"}
/// $.cards: 3 to 8 elements. No two alike.
/// $.level: "easy" or "hard".
/// ```
///
/// A model copies what it sees, so the outline shows a value of every form of a union. If the value
/// itself is a union, there is no other example:
///
/// ```
/// Answer with JSON of one of these forms:
/// $: one of 2 forms.
/// Form 1: {"type":"link","target":"…"}
/// $: The text names a page.
/// Form 2: {"type":"note"}
/// $: Anything else.
/// ```
struct ExampleOutline {
  let schema: GenerationSchema

  /// The maximum number of values in an example; any further values are left out.
  private static let valueLimit = 400
  private static let depthLimit = 12

  /// The example and the rules, as text for the prompt.
  var text: String {
    var maker = Maker(schema: schema)
    let value = maker.value(of: schema.root, guide: nil, at: "$", depth: 0) ?? .null
    let isUnion = maker.unions.first?.place == "$"
    var lines =
      isUnion
      ? ["Answer with JSON of one of these forms:"]
      : ["Answer with JSON of this form:", value.compactText]
    lines += maker.notes
    // A form can contain further unions, which the maker adds to the list.
    var shown = 0
    while shown < maker.unions.count {
      lines += maker.lines(of: maker.unions[shown])
      shown += 1
    }
    return lines.joined(separator: "\n")
  }

  /// A union whose forms the outline shows after the example.
  private struct Union {
    var place: String
    var forms: [SchemaNode]
  }

  private struct Maker {
    let schema: GenerationSchema
    var notes: [String] = []
    /// The unions, in the order in which they are found.
    var unions: [Union] = []
    /// The place at which the forms of each union are shown.
    private var places: [UnionSchema: String] = [:]
    private var count = 0

    init(schema: GenerationSchema) { self.schema = schema }

    /// Returns an example value for a node, or `nil` if the value would be nested too deeply or the
    /// example already has the maximum number of values.
    mutating func value(
      of node: SchemaNode, guide: String?, at path: String, depth: Int
    ) -> JSONValue? {
      count += 1
      guard depth <= ExampleOutline.depthLimit, count <= ExampleOutline.valueLimit else {
        return nil
      }
      let guide = guide ?? node.description
      switch node {
      case .reference(let name, _):
        guard let target = schema.node(named: name) else { return nil }
        return value(of: target, guide: guide, at: path, depth: depth + 1)
      case .object(let object): return self.object(object, guide, at: path, depth: depth)
      case .array(let array): return self.array(array, guide, at: path, depth: depth)
      case .union(let union): return self.union(union, guide, at: path, depth: depth)
      case .string(let string):
        if let choices = string.choices {
          if choices.count > 1 {
            note(path, choices.map(JSONTextWriter.quoted).joined(separator: " or "), guide)
          }
          return choices.first.map { .string($0) }
        }
        if let pattern = string.shownPattern { note(path, "a text that matches /\(pattern)/", nil) }
        return .string(Self.line(guide) ?? "…")
      case .integer(let integer):
        note(path, Self.words("integer", integer.minimumText, integer.maximumText), guide)
        return .number(
          integer.wideMinimum
            ?? JSONNumber(min(max(0, integer.minimum ?? 0), integer.maximum ?? .max)))
      case .number(let number):
        note(
          path, Self.words("number", number.minimum?.text, number.maximum?.text), guide)
        return .number(number.minimum ?? number.maximum ?? JSONNumber(0))
      case .boolean:
        note(path, "true or false", guide)
        return .bool(true)
      case .constant(let flag, _): return .bool(flag)
      case .null, .any: return .null
      }
    }

    /// Returns the lines that show each form of a union, with the rules and guides of the form.
    mutating func lines(of union: Union) -> [String] {
      let place = union.place == "$" ? "" : " of \(union.place)"
      return union.forms.enumerated().flatMap { number, form in
        (notes, count) = ([], 0)
        let value = value(of: form, guide: nil, at: union.place, depth: 0) ?? .null
        return ["Form \(number + 1)\(place): \(value.compactText)"] + notes
      }
    }

    /// Returns a value of the first form that has one, and lists the union.
    ///
    /// A form that can only be null needs no example.
    private mutating func union(
      _ union: UnionSchema, _ guide: String?, at path: String, depth: Int
    ) -> JSONValue? {
      var forms = union.choices
      forms.removeAll { if case .null = $0 { true } else { false } }
      if forms.count < 2 {
        if forms.count < union.choices.count { note(path, "may be null", nil) }
        return forms.first.map { value(of: $0, guide: guide, at: path, depth: depth + 1) } ?? .null
      }
      if let first = places[union] {
        let reference = first == path ? "" : ", as at \(first)"
        note(path, "one of \(union.choices.count) forms\(reference)", guide)
      } else {
        note(path, "one of \(union.choices.count) forms", guide)
        places[union] = path
        unions.append(Union(place: path, forms: union.choices))
      }
      // The notes and unions of the form are shown with the form.
      let (notes, unions, places) = (self.notes, self.unions, self.places)
      defer { (self.notes, self.unions, self.places) = (notes, unions, places) }
      for choice in union.choices {
        if let value = value(of: choice, guide: nil, at: path, depth: depth + 1) { return value }
      }
      return nil
    }

    private mutating func object(
      _ object: ObjectSchema, _ guide: String?, at path: String, depth: Int
    ) -> JSONValue? {
      if guide != nil { note(path, nil, guide) }
      var members = JSONObject()
      for property in object.properties {
        let place = "\(path).\(property.name)"
        let before = notes.count
        guard
          let value = value(
            of: property.node, guide: property.effectiveDescription, at: place, depth: depth + 1)
        else {
          if property.isOptional { continue }
          return nil
        }
        if property.isOptional { notes.insert("\(place): may be left out.", at: before) }
        members[property.name] = value
      }
      return .object(members)
    }

    private mutating func array(
      _ array: ArraySchema, _ guide: String?, at path: String, depth: Int
    ) -> JSONValue? {
      let bounds = Self.words("elements", array.minimumCount, array.maximumCount)
      note(path, bounds, guide)
      var elements: [JSONValue] = []
      for (index, node) in array.prefix.enumerated() {
        guard let value = value(of: node, guide: nil, at: "\(path)[\(index)]", depth: depth + 1)
        else { return nil }
        elements.append(value)
      }
      if array.maximumCount.map({ $0 > elements.count }) ?? true,
        let value = value(of: array.element, guide: nil, at: "\(path)[]", depth: depth + 1)
      {
        elements.append(value)
      }
      return .array(elements)
    }

    /// Adds a line with the rules and the guide for a path.
    private mutating func note(_ path: String, _ fact: String?, _ guide: String?) {
      let parts = [fact.map { "\($0)." }, Self.line(guide)].compactMap(\.self)
      if !parts.isEmpty { notes.append("\(path): " + parts.joined(separator: " ")) }
    }

    private static func line(_ text: String?) -> String? {
      guard let text, !text.isEmpty else { return nil }
      return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Returns bounds in words, such as `3 to 8 elements` or `at least 3 elements`.
    private static func words(_ noun: String, _ minimum: Int?, _ maximum: Int?) -> String? {
      switch (minimum, maximum) {
      case (let low?, let high?) where low == high: "\(low) \(noun)"
      case (let low?, let high?): "\(low) to \(high) \(noun)"
      case (let low?, nil): "at least \(low) \(noun)"
      case (nil, let high?): "at most \(high) \(noun)"
      case (nil, nil): nil
      }
    }

    /// Returns bounds in words, such as `integer from 0 to 30`.
    private static func words(_ noun: String, _ minimum: String?, _ maximum: String?) -> String {
      switch (minimum, maximum) {
      case (let low?, let high?): "\(noun) from \(low) to \(high)"
      case (let low?, nil): "\(noun), at least \(low)"
      case (nil, let high?): "\(noun), at most \(high)"
      case (nil, nil): noun
      }
    }
  }
}
