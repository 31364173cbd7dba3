import GuidedGeneration
import StructuredText
import Testing

/// A document from a service or a library, and the expected result of reading it.
///
/// The result is the schema in Apple's dialect or, if reading must fail, the error's path and a
/// part of its text.
struct TypicalDocument: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    case read(String)
    case refused(at: String, String)
  }

  let name: String
  let json: String
  let outcome: Outcome

  var testDescription: String { name }

  static let all: [TypicalDocument] = [
    TypicalDocument(
      name: "an OpenAI strict schema",
      json: #"""
        {"type": "object", "strict": true, "additionalProperties": false,
         "properties": {
           "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1},
           "final_answer": {"type": ["string", "null"]}},
         "required": ["steps", "final_answer"],
         "$defs": {"step": {"type": "object", "additionalProperties": false,
           "properties": {"why": {"type": "string"}}, "required": ["why"]}}}
        """#,
      outcome: .read(
        #"""
        {"$defs": {"step": {"additionalProperties": false, "properties": {"why": {"type": "string"}},
           "required": ["why"], "type": "object", "x-order": ["why"]}},
         "additionalProperties": false, "properties": {
           "steps": {"items": {"$ref": "#/$defs/step"}, "minItems": 1, "type": "array"},
           "final_answer": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
         "required": ["steps", "final_answer"], "type": "object",
         "x-order": ["steps", "final_answer"]}
        """#)),
    TypicalDocument(
      name: "an OpenAI schema that refers to its root",
      json: #"""
        {"type": "object", "additionalProperties": false, "required": ["label", "children"],
         "properties": {"label": {"type": "string", "enum": ["div", "button"]},
           "children": {"type": "array", "items": {"$ref": "#"}}}}
        """#,
      outcome: .read(
        #"""
        {"additionalProperties": false, "properties": {
           "label": {"enum": ["div", "button"], "type": "string"},
           "children": {"items": {"$ref": "#"}, "type": "array"}},
         "required": ["label", "children"], "type": "object", "x-order": ["label", "children"]}
        """#)),
    TypicalDocument(
      name: "an Anthropic input_schema with annotations",
      json: #"""
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
         "properties": {
           "location": {"type": "string", "description": "City", "examples": ["Oslo"],
             "format": "city-name", "default": "Oslo"},
           "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
         "required": ["location"]}
        """#,
      outcome: .read(
        #"""
        {"additionalProperties": false, "properties": {
           "location": {"description": "City", "type": "string"},
           "unit": {"enum": ["celsius", "fahrenheit"], "type": "string"}},
         "required": ["location"], "type": "object", "x-order": ["location", "unit"]}
        """#)),
    TypicalDocument(
      name: "a Pydantic reference with a description and a default",
      json: #"""
        {"$defs": {"Tone": {"enum": ["dry", "warm"], "title": "Tone", "type": "string"}},
         "title": "Note", "type": "object",
         "properties": {"tone": {"allOf": [{"$ref": "#/$defs/Tone"}], "default": "dry",
           "description": "How it sounds"}}}
        """#,
      outcome: .read(
        #"""
        {"$defs": {"Tone": {"enum": ["dry", "warm"], "title": "Tone", "type": "string"}},
         "additionalProperties": false, "properties": {
           "tone": {"$ref": "#/$defs/Tone", "description": "How it sounds"}},
         "required": [], "title": "Note", "type": "object", "x-order": ["tone"]}
        """#)),
    TypicalDocument(
      name: "a Pydantic number with an exclusive bound",
      json: #"{"type": "object", "properties": {"p": {"type": "number", "exclusiveMinimum": 0}}}"#,
      outcome: .read(
        #"""
        {"additionalProperties": false, "properties": {
           "p": {"exclusiveMinimum": 0, "type": "number"}},
         "required": [], "type": "object", "x-order": ["p"]}
        """#)),
    TypicalDocument(
      name: "a Pydantic tuple",
      json: #"""
        {"type": "object", "properties": {"at": {"type": "array", "minItems": 2, "maxItems": 2,
          "prefixItems": [{"type": "number"}, {"type": "number"}]}}, "required": ["at"]}
        """#,
      outcome: .read(
        #"""
        {"additionalProperties": false, "properties": {"at": {"items": false, "maxItems": 2,
           "minItems": 2, "prefixItems": [{"type": "number"}, {"type": "number"}],
           "type": "array"}},
         "required": ["at"], "type": "object", "x-order": ["at"]}
        """#)),
    TypicalDocument(
      name: "a Pydantic dictionary",
      json: #"""
        {"type": "object", "properties": {"scores": {"type": "object",
          "additionalProperties": {"type": "integer"}}}}
        """#,
      outcome: .read(
        #"""
        {"additionalProperties": false, "properties": {"scores": {
           "additionalProperties": {"type": "integer"}, "properties": {}, "required": [],
           "type": "object", "x-order": []}},
         "required": [], "type": "object", "x-order": ["scores"]}
        """#)),
    TypicalDocument(
      name: "a Pydantic set",
      json: #"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#,
      outcome: .refused(at: "#/uniqueItems", "can be compared")),
    TypicalDocument(
      name: "an OpenAPI string that is nullable",
      json: #"{"type": "object", "properties": {"a": {"type": "string", "nullable": true}}}"#,
      outcome: .read(
        #"""
        {"additionalProperties": false, "properties": {
           "a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
         "required": [], "type": "object", "x-order": ["a"]}
        """#)),
    TypicalDocument(
      name: "a tagged union of constants",
      json: #"""
        {"oneOf": [
          {"title": "Text", "type": "object", "properties": {"kind": {"const": "text"},
            "text": {"type": "string", "minLength": 1}}, "required": ["kind", "text"]},
          {"title": "Stop", "type": "object", "properties": {"kind": {"const": "stop"}},
            "required": ["kind"]}], "discriminator": {"propertyName": "kind"}}
        """#,
      outcome: .read(
        #"""
        {"anyOf": [
          {"additionalProperties": false, "properties": {"kind": {"const": "text"},
             "text": {"minLength": 1, "type": "string"}}, "required": ["kind", "text"],
           "title": "Text", "type": "object", "x-order": ["kind", "text"]},
          {"additionalProperties": false, "properties": {"kind": {"const": "stop"}},
           "required": ["kind"], "title": "Stop", "type": "object", "x-order": ["kind"]}]}
        """#)),
    TypicalDocument(
      name: "a union whose branches overlap",
      json: #"{"oneOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}"#,
      outcome: .read(#"{"minLength": 4, "type": "string"}"#)),
    TypicalDocument(
      name: "a union whose overlap no schema can exclude",
      json: #"{"oneOf": [{"type": "number"}, {"type": "integer", "minimum": 3}]}"#,
      outcome: .refused(at: "#/oneOf", "3 fits two of the schemas")),
    TypicalDocument(
      name: "an `allOf` of two objects",
      json: #"{"allOf": [{"type": "object"}, {"type": "object", "properties": {}}]}"#,
      outcome: .read(
        #"""
        {"additionalProperties": {}, "properties": {}, "required": [], "type": "object",
         "x-order": []}
        """#)),
    TypicalDocument(
      name: "an `if` with a `then`",
      json: #"""
        {"type": "object", "properties": {"a": {"type": "string"}}, "if": {"required": ["a"]},
         "then": {"required": ["a"]}}
        """#,
      outcome: .read(
        #"""
        {"anyOf": [
          {"additionalProperties": false, "properties": {"a": {"type": "string"}},
           "required": ["a"], "type": "object", "x-order": ["a"]},
          {"additionalProperties": false, "properties": {}, "required": [], "type": "object",
           "x-order": []}]}
        """#)),
    TypicalDocument(
      name: "a pattern with a bounded repetition",
      json: #"{"type": "string", "pattern": "^[A-Z]{2}-\\d{1,4}$", "contentEncoding": "base64"}"#,
      outcome: .read(#"{"pattern": "^[A-Z]{2}-\\d{1,4}$", "type": "string"}"#)),
  ]
}

@Suite("Documents from other tools")
struct TypicalDocumentTests {
  @Test(
    "each keyword is enforced, ignored as an annotation, or rejected with its path",
    arguments: TypicalDocument.all)
  func outcome(document: TypicalDocument) throws {
    let json = try JSONValue(parsing: document.json)
    switch document.outcome {
    case .read(let text):
      let schema = try GenerationSchema(json: json)
      #expect(schema.json == (try JSONValue(parsing: text)))
      #expect(try GenerationSchema(json: schema.json) == schema)
    case .refused(let path, let word):
      #expect {
        try GenerationSchema(json: json)
      } throws: { error in
        guard let error = error as? SchemaReadError else { return false }
        return error.path == path && error.description.contains(word)
      }
    }
  }
}
