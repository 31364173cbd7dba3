import StructuredText

/// A schema with values that fit it and values that don't.
struct SchemaSample: Sendable {
  var json: String
  var fits: [JSONValue]
  var others: [JSONValue]

  init(_ json: String, fits: [JSONValue], _ others: [JSONValue]) {
    (self.json, self.fits, self.others) = (json, fits, others)
  }
}
