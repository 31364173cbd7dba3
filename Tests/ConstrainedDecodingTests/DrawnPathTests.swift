import StructuredText
import Testing

@testable import ConstrainedDecoding

@Suite("The paths in the keys of random numbers")
struct DrawnPathTests {
  // If this spelling changed, the same seed would give another answer.
  @Test(
    "a key spells names as version 0.1 spelled them",
    arguments: [
      ("cards", "$.cards"), ("größe", "$['größe']"), ("it's", #"$['it\'s']"#), ("2nd", "$['2nd']"),
      ("a\nb", "$['a\nb']"), ("", "$['']"), ("a_1", "$.a_1"), (#"\"#, #"$['\\']"#),
    ])
  func checkSpelling(name: String, path: String) {
    var tracker = JSONPlaceTracker()
    for byte in "{\(JSONWriter.quoted(name)):".utf8 { tracker.feed(byte) }
    #expect(RandomStream(seed: 1, repeat: 0).path(tracker, tracker.path) == path)
    #expect(tracker.path == JSONPlace(steps: [.name(name)]).description)
  }
}
