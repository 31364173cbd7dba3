import StructuredText

/// A text that an edit can change: a text of the schema, the instructions, or the prompt.
package struct GuideText: Sendable, Hashable {
  /// The place of the text: `DraftCardSet.cards`, `instructions`.
  package var place: String
  package var text: String
  package var isProse: Bool

  /// Creates a text.
  package init(place: String, text: String, isProse: Bool) {
    (self.place, self.text, self.isProse) = (place, text, isProse)
  }
}

extension GuideText {
  /// The texts of a variant.
  package static func texts(_ variant: VariantRecord) -> [GuideText] {
    var texts = SchemaDocument(schema: variant.schema).guides.map {
      GuideText(place: $0.place, text: $0.text, isProse: $0.isProse)
    }
    if let instructions = variant.instructions {
      texts.append(GuideText(place: "instructions", text: instructions, isProse: true))
    }
    texts.append(GuideText(place: "prompt", text: variant.promptTemplate, isProse: true))
    return texts
  }

  /// A text that differs between two lists; a side that lacks the text has `nil`.
  package struct Edit: Sendable, Hashable {
    /// The place of the text.
    package let place: String
    package let before: String?
    package let after: String?
    package let isProse: Bool
  }

  /// Returns the texts that differ: first those of the earlier list, then those that only the later
  /// list has.
  ///
  /// If a place has several texts, only the first is compared.
  package static func edits(from before: [GuideText], to after: [GuideText]) -> [Edit] {
    let old = Dictionary(before.map { ($0.place, $0.text) }, uniquingKeysWith: { one, _ in one })
    let new = Dictionary(after.map { ($0.place, $0.text) }, uniquingKeysWith: { one, _ in one })
    var seen: Set<String> = []
    return (before + after).filter {
      seen.insert($0.place).inserted && old[$0.place] != new[$0.place]
    }
    .map {
      Edit(place: $0.place, before: old[$0.place], after: new[$0.place], isProse: $0.isProse)
    }
  }

  var json: JSONValue { [.string(place), .string(text), .bool(isProse)] }

  init?(_ value: JSONValue) {
    guard let parts = value.array, parts.count >= 2, let place = parts[0].string,
      let text = parts[1].string
    else { return nil }
    self.init(place: place, text: text, isProse: parts.dropFirst(2).first?.bool ?? true)
  }

  /// The key of a list of texts: the beginning of the SHA-256 of their JSON.
  package static func key(of texts: [GuideText]) -> String {
    String(SHA256.hexDigest(of: JSONValue.array(texts.map(\.json)).compactText).prefix(12))
  }
}
