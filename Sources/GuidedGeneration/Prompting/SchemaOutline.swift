import StructuredText

extension GenerationSchema {
  /// The types of the schema, as text for the prompt.
  ///
  /// ```
  /// Answer with JSON of type DraftCardSet.
  /// DraftCardSet {
  ///   cards: [DraftCard] 3...8 // No two alike.
  /// }
  /// DraftCard {
  ///   question: string
  /// }
  /// ```
  package var outline: String {
    var writer = SchemaOutline(schema: self)
    return writer.text()
  }
}

/// Writes one block per named type: the root first, and then the other types depth-first, in order
/// of use.
private struct SchemaOutline {
  let schema: GenerationSchema
  /// The types found so far, keyed by the names of their blocks.
  private var names: [String: SchemaNode] = [:]
  /// The types whose blocks are still to be written.
  private var queue: [(name: String, node: SchemaNode)] = []
  private var lines: [String] = []
  private var rootName = ""

  init(schema: GenerationSchema) { self.schema = schema }

  mutating func text() -> String {
    let root = schema.root
    switch root {
    case .object, .union:
      rootName = root.name ?? "Root"
      names[rootName] = root
      lines.append("Answer with JSON of type \(rootName).")
      writeBlock(name: rootName, root)
    default:
      lines.append("Answer with JSON of type \(type(root, hint: "Root")).")
      writeQueue()
    }
    return lines.joined(separator: "\n")
  }

  private mutating func writeQueue() {
    while !queue.isEmpty {
      let next = queue.removeFirst()
      writeBlock(name: next.name, next.node)
    }
  }

  /// Writes the block of a type, followed by the blocks of the types that it refers to,
  /// depth-first.
  private mutating func writeBlock(name: String, _ node: SchemaNode) {
    let later = queue
    queue = []
    switch node {
    case .object(let object):
      lines.append("\(name) {" + comment(object.description))
      var blocks: [[String]] = []
      var properties: [String] = []
      for property in object.properties {
        let isOmitted = property.isOptional && !object.representsNilExplicitly
        var text = type(property.node, hint: capitalized(property.name))
        if property.isOptional, object.representsNilExplicitly { text += " | null" }
        properties.append(
          "  \(property.name)\(isOmitted ? "?" : ""): \(text)"
            + comment(property.effectiveDescription))
        blocks.append(blockLines())
      }
      for rule in object.extra?.rules ?? [] {
        properties.append("  [/\(rule.pattern)/]: " + type(rule.node, hint: name))
        blocks.append(blockLines())
      }
      if let others = object.extra?.others {
        properties.append("  [other names]: " + type(others, hint: name))
        blocks.append(blockLines())
      }
      lines += properties
      lines.append("}")
      for block in blocks { lines += block }
    case .union(let union):
      var choices: [String] = []
      var blocks: [[String]] = []
      for (index, choice) in union.choices.enumerated() {
        choices.append(type(choice, hint: "\(name)\(index + 1)"))
        blocks.append(blockLines())
      }
      lines.append(
        "\(name) = " + choices.joined(separator: " | ") + comment(union.description))
      for block in blocks { lines += block }
    default: break
    }
    queue = later
  }

  /// Writes the blocks of all types in the queue, and returns their lines.
  private mutating func blockLines() -> [String] {
    let before = lines
    lines = []
    writeQueue()
    defer { lines = before }
    return lines
  }

  // MARK: Types

  private mutating func type(_ node: SchemaNode, hint: String) -> String {
    switch node {
    case .object, .union: return use(node, as: node.name ?? hint)
    case .reference(SchemaNode.rootName, _): return rootName
    case .reference(let name, _):
      guard let target = schema.node(named: name) else { return name }
      switch target {
      case .object, .union: return use(target, as: name)
      default: return type(target, hint: name)
      }
    case .array(let array):
      let prefix = array.prefix.map { type($0, hint: hint) + ", " }.joined()
      let element =
        array.maximumCount.map { $0 <= array.prefix.count } == true
        ? String(prefix.dropLast(2)) : prefix + type(array.element, hint: hint)
      return "[\(element)]"
        + bounds(array.minimumCount.map(String.init), array.maximumCount.map(String.init))
    case .string(let string):
      if let choices = string.choices {
        return choices.map(JSONTextWriter.quoted).joined(separator: " | ")
      }
      return string.shownPattern.map { "string /\($0)/" } ?? "string"
    case .integer(let integer):
      return numbers("integer", integer.minimumText, integer.maximumText)
    case .number(let number):
      return numbers("number", number.minimum?.text, number.maximum?.text)
    case .boolean: return "boolean"
    case .constant(let value, _): return value ? "true" : "false"
    case .null: return "null"
    case .any: return "any"
    }
  }

  /// Returns a type of numbers with its bounds, or the number itself if it is the only one.
  private func numbers(_ type: String, _ minimum: String?, _ maximum: String?) -> String {
    if let minimum, minimum == maximum { return minimum }
    return type + bounds(minimum, maximum)
  }

  /// Records the use of a type and returns the name of its block.
  ///
  /// If a different type already has the wanted name, the block's name ends in a number.
  private mutating func use(_ node: SchemaNode, as wanted: String) -> String {
    var name = wanted
    var number = 2
    while let known = names[name] {
      if known == node { return name }
      name = wanted + String(number)
      number += 1
    }
    names[name] = node
    queue.append((name, node))
    return name
  }

  private func bounds(_ minimum: String?, _ maximum: String?) -> String {
    minimum == nil && maximum == nil ? "" : " \(minimum ?? "")...\(maximum ?? "")"
  }

  private func comment(_ description: String?) -> String {
    guard let description, !description.isEmpty else { return "" }
    return " // " + description.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
