import StructuredText
import Testing

@testable import EvalSuites

@Suite("Paths")
struct PathTests {
  @Test(
    "a path selects places in a value, and also reports places that don't exist",
    arguments: [
      ("$", ["$"]), ("$.a", ["$.a"]), ("$.a[*]", ["$.a[0]", "$.a[1]"]),
      ("$.a[*].b", ["$.a[0].b", "$.a[1].b -"]), ("$.none[*].b", ["$.none -"]),
      ("$.empty[*]", []), ("$.empty[*].b.c", []), ("$.a[5]", ["$.a[5] -"]),
      ("$.c[*]", ["$.c.x", "$.c['y z']"]), ("$.n.b", ["$.n.b -"]), ("$.n[*]", ["$.n[*] -"]),
    ])
  func selection(path: String, places: [String]) throws {
    let value: JSONValue = [
      "a": [["b": 1], ["c": 2]], "empty": [], "c": ["x": 1, "y z": 2], "n": 3,
    ]
    // In the expected places, “ -” marks a place that doesn't exist.
    let matches = try JSONPlace(parsing: path).matches(in: value)
    #expect(matches.map { "\($0.path)" + ($0.value == nil ? " -" : "") } == places)
  }
}
