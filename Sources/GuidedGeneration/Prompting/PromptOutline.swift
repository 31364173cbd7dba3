import StructuredText

/// The ways to show a schema to a model.
package enum PromptOutline: String, Sendable, Hashable, CaseIterable {
  /// Types in the manner of TypeScript, with guides as comments.
  case typescript
  /// The JSON Schema itself, without what only a reader of schemas needs.
  case jsonSchema
  /// One value of the schema's form, with guides in place of texts.
  case example
  /// Nothing.
  case none
}

extension GenerationSchema {
  /// The text that shows the schema to a model; nil where nothing is shown.
  ///
  /// - Parameter style: How it is shown.
  package func outline(as style: PromptOutline) -> String? {
    switch style {
    case .typescript: outline
    case .jsonSchema:
      "Answer with JSON that keeps to this JSON Schema:\n" + json.withoutOrder.compactText
    case .example: ExampleOutline(schema: self).text
    case .none: nil
    }
  }
}

extension JSONValue {
  /// The schema without `x-order`, which says what the order of its keys shows.
  fileprivate var withoutOrder: JSONValue {
    switch self {
    case .object(let object):
      var kept = JSONObject()
      for member in object.members where member.key != "x-order" || member.value.array == nil {
        kept[member.key] = member.value.withoutOrder
      }
      return .object(kept)
    case .array(let elements): return .array(elements.map(\.withoutOrder))
    default: return self
    }
  }
}
