import GuidedGeneration
import StructuredText

extension [String: any ConvertibleToGeneratedContent] {
  /// The values as generated content.
  var contents: [String: GeneratedContent] { mapValues { $0.generatedContent } }
}

extension [String: GeneratedContent] {
  /// Creates metadata from JSON; a value that isn't an object is empty metadata.
  init(json: JSONValue?) {
    self = [:]
    for member in json?.object ?? [:] { self[member.key] = GeneratedContent(member.value) }
  }

  /// The values as JSON, sorted by name, or `nil` if there are no values.
  var json: JSONValue? {
    if isEmpty { return nil }
    var object: JSONObject = [:]
    for (name, value) in sorted(by: { $0.key < $1.key }) { object[name] = value.jsonValue }
    return .object(object)
  }
}
