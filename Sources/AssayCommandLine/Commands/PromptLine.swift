import EvalRecords
import EvalRunner
import StructuredText

extension RunPlan.Job {
  /// The request as a line for a recorder, with a seed for each repeat.
  ///
  /// ```
  /// {"suite": "cards", "variant": "default", "case": "tides", "prompt": "…", "schema": {…},
  ///  "includeSchemaInPrompt": true, "options": {"temperature": 0.7, …}, "seeds": [71, 1902]}
  /// ```
  var promptLine: JSONValue {
    var line: JSONObject = [
      "suite": .string(request.suite), "variant": .string(request.variant),
      "case": .string(request.caseID), "prompt": .string(request.prompt),
    ]
    line["instructions"] = request.instructions.map { .string($0) }
    line["schema"] = (try? JSONValue(parsing: request.schema)) ?? .null
    line["includeSchemaInPrompt"] = .bool(
      request.includesSchemaInPrompt && request.settings.outline != .none)
    line["options"] = request.settings.recordedOptions
    line["seeds"] = .array(repeats.map { .number(JSONNumber($0.seed)) })
    return .object(line)
  }
}

extension GenerationSettings {
  /// The options that Apple's framework has, too.
  fileprivate var recordedOptions: JSONValue {
    var options: JSONObject = ["maximumResponseTokens": .number(JSONNumber(self.maximumTokens))]
    if self.isGreedy {
      options["greedy"] = true
      return .object(options)
    }
    options["temperature"] = .number(JSONNumber(self.temperature))
    if limits(.topK) { options["topK"] = .number(JSONNumber(self.topK)) }
    if limits(.topP) { options["probabilityThreshold"] = .number(JSONNumber(self.topP)) }
    return .object(options)
  }
}
