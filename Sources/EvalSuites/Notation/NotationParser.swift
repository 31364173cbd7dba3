import StructuredText

/// A recursive-descent parser of the short notation for schemas.
struct NotationParser {
  private let scalars: [Character]
  private var position = 0
  private var depth = 0
  /// The position at which each type begins, keyed by the type's name.
  private var known: [String: Int] = [:]
  /// The types that shapes refer to, with the position of each reference.
  private var uses: [(name: String, position: Int)] = []
  private var rootName: String?

  private static let maximumDepth = 32
  private static let keywords: Set<String> = ["string", "integer", "number", "boolean"]

  init(text: String) { scalars = Array(text) }

  // MARK: Types

  /// Parses all types in the text.
  mutating func types() throws(SchemaNotation.Failure) -> [NotatedType] {
    var types: [NotatedType] = []
    skipSpace()
    while position < scalars.count {
      let start = position
      let type = try type()
      guard known[type.name] == nil else {
        throw failure("the type `\(type.name)` appears twice", "names must be unique", at: start)
      }
      known[type.name] = start
      types.append(type)
      skipSpace()
    }
    for use in uses where known[use.name] == nil {
      throw failure(
        "there is no type `\(use.name)`",
        NearestName.hint(
          for: use.name, among: Self.keywords.sorted() + known.keys.sorted(), what: "types"),
        at: use.position)
    }
    return types
  }

  private mutating func type() throws(SchemaNotation.Failure) -> NotatedType {
    let start = position
    let name = try self.name("the name of a type")
    if Self.keywords.contains(name) {
      throw failure("`\(name)` is a built-in type", "another name is expected", at: start)
    }
    if rootName == nil { rootName = name }
    let guide = try text()
    var schema: JSONObject = ["title": .string(name)]
    if take("{") {
      if let guide { schema["description"] = .string(guide) }
      for (key, value) in try properties(until: "}").members { schema[key] = value }
      return NotatedType(name: name, schema: schema)
    }
    guard take("=") else { throw failure("a type has no body", "`{` or `=` must follow") }
    if let guide { schema["description"] = .string(guide) }
    return try choices(name, schema)
  }

  /// Parses the cases of an enum, which may have payloads.
  private mutating func choices(
    _ name: String, _ base: JSONObject
  ) throws(SchemaNotation.Failure) -> NotatedType {
    var choices: [(name: String, guide: String?, payload: JSONObject?)] = []
    repeat {
      let start = position
      let choice = try self.name("the name of a choice")
      guard !choices.contains(where: { $0.name == choice }) else {
        throw failure("the choice `\(choice)` appears twice", "names must be unique", at: start)
      }
      let guide = try text()
      let payload = take("(") ? try properties(until: ")") : nil
      choices.append((choice, guide, payload))
    } while take("|")
    guard choices.count > 1 else {
      throw failure("an enum has only one choice", "`|` and another choice must follow")
    }
    var schema = base
    guard choices.contains(where: { $0.payload != nil || $0.guide != nil }) else {
      schema["type"] = "string"
      schema["enum"] = .array(choices.map { .string($0.name) })
      return NotatedType(name: name, schema: schema)
    }
    var type = NotatedType(name: name, schema: schema)
    var references: [JSONValue] = []
    for choice in choices {
      let title = "Discriminated" + choice.name.prefix(1).uppercased() + choice.name.dropFirst()
      var object: JSONObject = ["title": .string(title), "type": "object"]
      if let guide = choice.guide { object["description"] = .string(guide) }
      var properties: JSONObject = ["type": ["const": .string(choice.name)]]
      var required: [JSONValue] = ["type"]
      var order: [JSONValue] = ["type"]
      for (key, value) in choice.payload?["properties"]?.object?.members ?? [] {
        properties[key] = value
        order.append(.string(key))
      }
      required += choice.payload?["required"]?.array ?? []
      object["properties"] = .object(properties)
      object["required"] = .array(required)
      object["additionalProperties"] = false
      object["x-order"] = .array(order)
      type.definitions.append((title, .object(object)))
      references.append(["$ref": .string("#/$defs/\(title)")])
    }
    type.schema["anyOf"] = .array(references)
    return type
  }

  private mutating func properties(
    until end: Character
  ) throws(SchemaNotation.Failure) -> JSONObject {
    let start = position - 1
    var properties = JSONObject()
    var required: [JSONValue] = []
    var order: [JSONValue] = []
    while !take(end) {
      skipSpace()
      guard position < scalars.count else {
        throw failure("`\(scalars[start])` is not closed", "`\(end)` must follow", at: start)
      }
      let place = position
      let name = try self.name("the name of a property")
      guard properties[name] == .none else {
        throw failure("the property `\(name)` appears twice", "names must be unique", at: place)
      }
      let isOptional = take("?")
      guard take(":") else { throw failure("`\(name)` has no type", "`:` and a type must follow") }
      var shape = try shape()
      if let guide = try text() { shape["description"] = .string(guide) }
      properties[name] = .object(shape)
      if !isOptional { required.append(.string(name)) }
      order.append(.string(name))
      _ = take(",")
    }
    return [
      "type": "object", "properties": .object(properties), "required": .array(required),
      "additionalProperties": false, "x-order": .array(order),
    ]
  }

  // MARK: Shapes

  private mutating func shape() throws(SchemaNotation.Failure) -> JSONObject {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw failure("the shape is nested too deeply", "at most \(Self.maximumDepth) levels")
    }
    let shape = try single()
    guard take("?") else { return shape }
    return ["anyOf": [.object(shape), ["type": "null"]]]
  }

  private mutating func single() throws(SchemaNotation.Failure) -> JSONObject {
    skipSpace()
    let start = position
    if take("[") {
      let element = try shape()
      guard take("]") else {
        throw failure("`[` is not closed", "`]` must follow", at: start)
      }
      var array: JSONObject = ["type": "array", "items": .object(element)]
      try range("minItems", "maxItems", of: "a number of elements", isWhole: true, into: &array)
      return array
    }
    let name = try self.name("a type: `string`, `integer`, `number`, `boolean`, `[…]` or a name")
    switch name {
    case "string":
      var string: JSONObject = ["type": "string"]
      skipSpace()
      if current == "/" { string["pattern"] = .string(try pattern()) }
      try range(
        "minLength", "maxLength", of: "a number of characters", isWhole: true, into: &string)
      return string
    case "integer":
      var integer: JSONObject = ["type": "integer"]
      try range("minimum", "maximum", of: "an integer", isWhole: true, into: &integer)
      return integer
    case "number":
      var number: JSONObject = ["type": "number"]
      try range("minimum", "maximum", of: "a number", isWhole: false, into: &number)
      return number
    case "boolean": return ["type": "boolean"]
    default: break
    }
    var choices = [name]
    while take("|") { choices.append(try self.name("the name of a choice")) }
    if choices.count > 1 {
      return ["type": "string", "enum": .array(choices.map { .string($0) })]
    }
    uses.append((name, start))
    return ["$ref": .string(name == rootName ? "#" : "#/$defs/\(name)")]
  }

  /// Parses a range if there is one: `3...8`, `3...`, `...8` or `3`.
  private mutating func range(
    _ low: String, _ high: String, of what: String, isWhole: Bool, into schema: inout JSONObject
  ) throws(SchemaNotation.Failure) {
    skipSpace()
    let start = position
    let first = number()
    let hasDots = takeDots()
    guard first != nil || hasDots else { return }
    let second = hasDots ? number() : first
    guard first != nil || second != nil else {
      throw failure("`...` has no number", "`1...8`, `1...` or `...8`", at: start)
    }
    for (key, text) in [(low, first), (high, second)] {
      guard let text else { continue }
      guard let number = JSONNumber(text), !isWhole || number.int != nil else {
        throw failure("`\(text)` is not \(what)", "\(what) is expected", at: start)
      }
      schema[key] = .number(number)
    }
  }

  private mutating func number() -> String? {
    skipSpace()
    let start = position
    var end = position
    if end < scalars.count, scalars[end] == "-" { end += 1 }
    while end < scalars.count {
      let isDigit = scalars[end].isASCII && scalars[end].isNumber
      // A dot belongs to the number only if a digit follows; otherwise, the dot begins `...`.
      let isPoint =
        scalars[end] == "." && end + 1 < scalars.count && scalars[end + 1].isASCII
        && scalars[end + 1].isNumber && end > start
      guard isDigit || isPoint else { break }
      end += 1
    }
    guard end > start, scalars[end - 1].isNumber else { return nil }
    position = end
    return String(scalars[start..<end])
  }

  private mutating func takeDots() -> Bool {
    skipSpace()
    guard scalars[position...].starts(with: "...") else { return false }
    position += 3
    return true
  }

  private mutating func pattern() throws(SchemaNotation.Failure) -> String {
    let start = position
    position += 1
    var text = ""
    while let next = current, !next.isNewline {
      position += 1
      if next == "/" { return text }
      if next == "\\", current == "/" {
        text.append("/")
        position += 1
      } else {
        text.append(next)
        if next == "\\", let escaped = current, !escaped.isNewline {
          text.append(escaped)
          position += 1
        }
      }
    }
    throw failure("the pattern is not closed", "`/` must follow", at: start)
  }

  // MARK: Words and symbols

  private var current: Character? { position < scalars.count ? scalars[position] : nil }

  private mutating func skipSpace() {
    while let next = current {
      if next == "#" {
        while let skipped = current, !skipped.isNewline { _ = skipped; position += 1 }
      } else if next.isWhitespace {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func take(_ sign: Character) -> Bool {
    skipSpace()
    guard current == sign else { return false }
    position += 1
    return true
  }

  private mutating func name(_ what: String) throws(SchemaNotation.Failure) -> String {
    skipSpace()
    if current == "\"" { return try quoted() }
    let start = position
    while let next = current, next.isLetter || next.isNumber || next == "_" || next == "-" {
      position += 1
    }
    guard position > start else {
      let found = current.map { "`\($0)`" } ?? "the end of the notation"
      throw failure("\(found) is not a name", "\(what) is expected")
    }
    return String(scalars[start..<position])
  }

  /// Parses a guide if there is one.
  private mutating func text() throws(SchemaNotation.Failure) -> String? {
    skipSpace()
    return current == "\"" ? try quoted() : nil
  }

  private mutating func quoted() throws(SchemaNotation.Failure) -> String {
    let start = position
    position += 1
    while let next = current {
      position += 1
      if next == "\\" {
        position = min(position + 1, scalars.count)
      } else if next == "\"" {
        // A JSON string can't contain line breaks, so they are replaced with spaces.
        let text = String(scalars[start..<position].map { $0.isNewline ? " " : $0 })
        if case .string(let text)? = try? JSONValue(parsing: text) { return text }
        break
      }
    }
    throw failure(
      "the text is not closed, or has an unknown escape", "texts are written like JSON strings",
      at: start)
  }

  private func failure(
    _ problem: String, _ allowed: String, at place: Int? = nil
  ) -> SchemaNotation.Failure {
    let before = scalars[..<min(place ?? position, scalars.count)]
    let line = before.count { $0.isNewline } + 1
    let column = before.reversed().prefix { !$0.isNewline }.count + 1
    return SchemaNotation.Failure(line: line, column: column, problem: problem, allowed: allowed)
  }
}
