/// Operations on spelled places, for records, which store a place as its text.
///
/// A text may begin with a place and go on with something else, for example with the words of an
/// error. The functions change only the place at the beginning.
extension JSONPlace {
  /// Returns the text with the place at its beginning in the canonical spelling.
  package static func canonical(_ text: String) -> String {
    respelled(text) { $0 }
  }

  /// Returns the text with the place at its beginning as a pattern, in the canonical spelling:
  /// `$.days[2].items` → `$.days[*].items`.
  package static func pattern(_ text: String) -> String {
    respelled(text, \.pattern)
  }

  /// Returns whether a spelled place is a pattern, so that it stands for several places.
  package static func isPattern(_ text: String) -> Bool {
    text.contains("[*]") && !beginning(of: text).place.isSingular
  }

  /// Returns the place of the array whose elements contain the given place, or `nil` if the place
  /// has no wildcard: `$.days[*].items[*].name` → `$.days[*].items`.
  package static func innermostArray(around text: String) -> String? {
    let place = beginning(of: text).place
    return place.steps.lastIndex(of: .wildcard).map {
      JSONPlace(steps: Array(place.steps[..<$0])).description
    }
  }

  private static func respelled(
    _ text: String, _ change: (JSONPlace) -> JSONPlace
  ) -> String {
    // Without a bracket, a place has only plain names, and only one spelling.
    guard text.utf8.first == UInt8(ascii: "$"), text.utf8.contains(UInt8(ascii: "[")) else {
      return text
    }
    let (place, rest) = beginning(of: text)
    return change(place).description + rest
  }
}
