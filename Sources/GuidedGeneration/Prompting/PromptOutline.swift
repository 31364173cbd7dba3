import StructuredText

/// A way to show a schema to a model.
package enum PromptOutline: String, Sendable, Hashable, CaseIterable {
  /// TypeScript types, with guides as comments.
  case typescript
  /// The JSON Schema itself, without `x-order`.
  case jsonSchema
  /// An example value whose strings are the guides.
  case example
  /// No outline.
  case none
}

extension GenerationSchema {
  /// Returns the text that shows the schema to a model, or `nil` if the style is `none`.
  ///
  /// - Parameter style: The way to show the schema.
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
  /// The schema without `x-order`, because its properties are already in order.
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
