import StructuredText

/// A part of an answer: a value, its path, and whether it is complete.
package struct AnswerPart: Sendable {
  /// The value; if the answer was cut off inside the value, the part that arrived.
  package var value: JSONValue
  /// The path of the value.
  package var place: JSONPlace
  /// The steps from this value to the innermost value that was incomplete when the answer was cut
  /// off, or `nil` if this value is complete.
  ///
  /// ```
  /// {"cards": [{"q": "Why        cut in the whole answer: .cards[0].q
  ///                              cut in $.cards:          [0].q
  ///                              cut in $.cards[0].q:     no steps, the value itself is open
  /// ```
  package var cut: ArraySlice<JSONPlace.Step>?

  package init(
    _ value: JSONValue, at place: JSONPlace = .root, cut: ArraySlice<JSONPlace.Step>? = nil
  ) {
    self.value = value
    self.place = place
    self.cut = cut
  }

  /// Whether the value is complete.
  package var isComplete: Bool { cut == nil }

  /// Returns the child to which `step` leads, as a part with the given value.
  func child(_ step: JSONPlace.Step, _ value: JSONValue) -> AnswerPart {
    AnswerPart(
      value, at: place.appending(step), cut: cut?.first == step ? cut?.dropFirst() : nil)
  }
}

/// A place that a path selects in an answer.
struct SelectedPlace {
  /// The path of the place; if the place has no value, the path ends with the first step that
  /// failed.
  var place: JSONPlace
  /// The value at the place, or `nil` if there is none.
  var part: AnswerPart?
  /// Whether the value may be missing because the answer was cut off.
  var mayCome = false
}

/// The places that a path selects in an answer.
struct PathSelection {
  /// The places in document order.
  var places: [SelectedPlace]
  /// Whether places may be missing because the answer was cut off.
  var mayGrow = false
}

extension JSONPlace {
  /// Returns the places that the path selects in a part of an answer.
  ///
  /// ```
  /// $.cards[*].answer  in  {"cards":[{"answer":"a"},{}]}
  ///   → $.cards[0].answer "a",  $.cards[1].answer nothing
  /// the same path      in  {"cards":[]}   → no places: "for all" is vacuous
  /// the same path      in  {}             → $.cards nothing
  /// the same path      in  {"cards":[{"answer":"a"}      cut off
  ///   → $.cards[0].answer "a", and more may come
  /// ```
  ///
  /// - Complexity: O(places × steps).
  func selection(in part: AnswerPart) -> PathSelection {
    var selection = PathSelection(places: [SelectedPlace(place: part.place, part: part)])
    for step in steps {
      var next: [SelectedPlace] = []
      for selected in selection.places {
        guard let part = selected.part else {
          next.append(selected)
          continue
        }
        switch (step, part.value) {
        case (.name(let name), .object(let members)):
          next.append(part.selected(step, members[name]))
        case (.index(let index), .array(let elements)):
          next.append(
            part.selected(
              step, elements.indices.contains(index) ? elements[index] : JSONValue?.none))
        case (.wildcard, .array(let elements)):
          for (index, element) in elements.enumerated() {
            next.append(part.selected(.index(index), element))
          }
          if !part.isComplete { selection.mayGrow = true }
        case (.wildcard, .object(let members)):
          for member in members { next.append(part.selected(.name(member.key), member.value)) }
          if !part.isComplete { selection.mayGrow = true }
        default: next.append(part.selected(step, nil))
        }
      }
      selection.places = next
    }
    return selection
  }
}

extension AnswerPart {
  /// Returns the child place to which `step` leads.
  ///
  /// - Parameter value: The value at the child place, or `nil` if there is none.
  fileprivate func selected(_ step: JSONPlace.Step, _ value: JSONValue?) -> SelectedPlace {
    guard let value else {
      // A string that was cut off can't become an object or an array.
      let mayCome = !isComplete && self.value.string == nil
      return SelectedPlace(place: place.appending(step), part: nil, mayCome: mayCome)
    }
    let child = child(step, value)
    return SelectedPlace(place: child.place, part: child)
  }
}
