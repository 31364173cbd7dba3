import StructuredText

/// A suite with test cases of two kinds, whose schema's property names a test can replace.
///
/// The names at all levels of the schema are different, so that each of them stands for one
/// property.
struct RenamedSuite {
  /// The plain names of the properties.
  static let plainNames = ["list", "days", "meals", "feeling", "mood", "note"]

  /// The names, in the order of `plainNames`.
  var names = plainNames
  /// Whether the stub answers, and not a model.
  var usesStub = true

  // MARK: Names

  private func renamed(_ name: String) -> String {
    Self.plainNames.firstIndex(of: name).map { names[$0] } ?? name
  }

  /// Returns a place with the names in use, from the place with plain names.
  func place(_ plain: String) -> String {
    guard let place = try? JSONPlace(parsing: plain, isRelative: plain.hasPrefix("@")) else {
      return plain
    }
    let steps = place.steps.map { step -> JSONPlace.Step in
      if case .name(let name) = step { .name(renamed(name)) } else { step }
    }
    let text = JSONPlace(steps: steps).description
    return plain.hasPrefix("@") ? "@" + text.dropFirst() : text
  }

  /// Returns a text with the plain places in place of those with the names in use.
  func plain(_ text: String) -> String {
    let pairs = zip(Self.plainNames, names).map { plain, name in
      (JSONPlace.Step.name(name).text, "." + plain)
    }.sorted { $0.0.utf8.count > $1.0.utf8.count }
    return pairs.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  private func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(JSONObject(members.map { (key: renamed($0.key), value: $0.value) }))
  }

  // MARK: Files

  private static let moods: JSONValue = ["type": "string", "enum": ["calm", "angry", "end"]]

  private func type(_ properties: KeyValuePairs<String, JSONValue>) -> JSONValue {
    let required = properties.map(\.key).filter { $0 != "note" }.map {
      JSONValue.string(renamed($0))
    }
    return [
      "type": "object", "title": "T", "additionalProperties": false, "required": .array(required),
      "properties": object(properties),
    ]
  }

  /// The schema.
  var schema: JSONValue {
    let flags: JSONValue = ["type": "array", "items": ["type": "boolean"], "maxItems": 2]
    let day = type(["meals": flags, "feeling": Self.moods])
    return type([
      "list": flags, "days": ["type": "array", "items": day, "minItems": 1, "maxItems": 2],
      "mood": Self.moods, "note": ["type": "string", "enum": ["a", "b"]],
    ])
  }

  private func day(_ meals: [JSONValue], _ feeling: String) -> JSONValue {
    object(["meals": .array(meals), "feeling": .string(feeling)])
  }

  /// The stub's answers: two that fit the schema, and one that doesn't.
  private func answers(isWorse: Bool) -> JSONValue {
    let mood: JSONValue = isWorse ? "angry" : "calm"
    let list: JSONValue = isWorse ? [] : [true, false]
    let whole = object([
      "list": list, "days": [day([true], "calm"), day([], "end")], "mood": mood, "note": "a",
    ])
    let short = object(["list": list, "days": [day([], "angry")], "mood": "calm"])
    let wrong = object([
      "list": list, "days": [day([], "calm"), day([true], "furious")], "mood": mood,
    ])
    return ["sequence": [["content": whole], ["content": short], ["content": wrong]]]
  }

  /// The suite file: JSON, which is also YAML.
  var text: String {
    func assertion(_ kind: String, _ plain: String, _ more: JSONObject = [:]) -> JSONValue {
      var members = more
      members["path"] = .string(place(plain))
      return [kind: .object(members)]
    }
    let cases = (0..<10).map { number -> JSONValue in
      let mood: JSONValue = number < 8 ? "calm" : "angry"
      return [
        "id": .string("c\(number)"), "input": .string("A text with the number \(number)."),
        "assertions": [
          assertion("branch", "$.mood", ["is": mood]),
          assertion("branch", "$.days[0].feeling", ["is": "calm"]),
        ],
      ]
    }
    var suite: JSONObject = [
      "suite": "names", "generates": ["schema": "schema.json"], "prompt": "{{input}}",
      "repeats": .number(JSONNumber(usesStub ? 3 : 1)), "gate": ["passRate": 0],
      "options": ["maximumTokens": 200, "whitespace": "compact"],
      "assertions": [
        assertion("count", "$.list", ["min": 1, "max": 2]),
        assertion("count", "$.days[*].meals", ["min": 1]),
        assertion("present", "$.note"),
        assertion(
          "each", "$.days[*]",
          ["assertions": [assertion("oneOf", "@.feeling", ["values": ["calm", "angry"]])]]),
        ["expression": .string("count(\(place("$.list"))) <= 1")],
      ],
      "variants": [
        ["id": "default"],
        ["id": "worse", "edits": [["instructions": ["text": "Answer briefly."]]]],
      ],
      "cases": .array(cases),
    ]
    if usesStub {
      suite["stub"] = answers(isWorse: false)
      suite["variants"] = [["id": "default"], ["id": "worse", "stub": answers(isWorse: true)]]
    } else {
      suite["assertions"] = [
        assertion("decision", "$.list", ["option": "end", "max": 1]),
        assertion("decision", "$.days[*].feeling", ["option": "end", "max": 1]),
        assertion("decision", "$.note", ["option": "absent", "max": 1]),
      ]
    }
    return JSONValue.object(suite).compactText
  }

  /// Writes the suite to the folder `names` of a lab.
  func write(to lab: CommandLab) throws {
    try lab.write(text, to: "names/suite.yaml")
    try lab.write(schema.compactText, to: "names/schema.json")
  }
}
