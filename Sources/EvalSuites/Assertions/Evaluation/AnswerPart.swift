import StructuredText

/// A part of an answer: the value at a place, and how much of it is known.
package struct AnswerPart: Sendable {
  /// The value; of an answer that was cut off, as much as had come.
  package var value: JSONValue
  /// Where the value is.
  package var place: ValuePath
  /// The steps from here to the innermost value that was being written when the answer was cut off;
  /// nil if this part is complete.
  ///
  /// ```
  /// {"cards": [{"q": "Why        cut in the whole answer: .cards[0].q
  ///                              cut in $.cards:          [0].q
  ///                              cut in $.cards[0].q:     no steps, the value itself is open
  /// ```
  package var cut: ArraySlice<ValuePath.Step>?

  /// Creates a part.
  package init(
    _ value: JSONValue, at place: ValuePath = .root, cut: ArraySlice<ValuePath.Step>? = nil
  ) {
    self.value = value
    self.place = place
    self.cut = cut
  }

  /// Whether the value was written to its end.
  package var isComplete: Bool { cut == nil }

  /// The part one step further down, whose value is `value`.
  func child(_ step: ValuePath.Step, _ value: JSONValue) -> AnswerPart {
    AnswerPart(
      value, at: place.appending(step), cut: cut?.first == step ? cut?.dropFirst() : nil)
  }
}

/// One place that a path selects in an answer.
struct SelectedPlace {
  /// The place; if nothing is there, the first step that failed.
  var place: ValuePath
  /// What is there; nil if nothing is.
  var part: AnswerPart?
  /// Whether something might have come there if the answer had not been cut off.
  var mayCome = false
}

/// What a path selects in an answer.
struct PathSelection {
  /// The places in document order.
  var places: [SelectedPlace]
  /// Whether more places might have come if the answer had not been cut off.
  var mayGrow = false
}

extension ValuePath {
  /// The places that the path selects in a part of an answer.
  ///
  /// ```
  /// $.cards[*].answer  in  {"cards":[{"answer":"a"},{}]}
  ///   → $.cards[0].answer "a",  $.cards[1].answer nothing
  /// the same           in  {"cards":[]}   → no places: "for all" is vacuous
  /// the same           in  {}             → $.cards nothing
  /// the same           in  {"cards":[{"answer":"a"}      cut off
  ///   → $.cards[0].answer "a", and more may come
  /// ```
  ///
  /// - Complexity: Linear in the number of selected places times the number of steps.
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
  /// The place one step further down.
  ///
  /// - Parameter value: What is there; nil if nothing is.
  fileprivate func selected(_ step: ValuePath.Step, _ value: JSONValue?) -> SelectedPlace {
    guard let value else {
      // A text that was cut off becomes no object.
      let mayCome = !isComplete && self.value.string == nil
      return SelectedPlace(place: place.appending(step), part: nil, mayCome: mayCome)
    }
    let child = child(step, value)
    return SelectedPlace(place: child.place, part: child)
  }
}
