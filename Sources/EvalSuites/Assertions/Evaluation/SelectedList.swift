import EvalRecords
import StructuredText

/// The values that `unique` and `sorted` compare: the values that a path with `[*]` selects, or the
/// elements of the array at a singular path.
struct SelectedList {
  /// The complete values in document order.
  var values: [(place: JSONPlace, value: JSONValue)] = []
  /// Whether values may be missing from the list, because the answer was cut off.
  var mayGrow = false

  /// An error for a path that doesn't lead to a list, with the resulting judgement.
  struct NoList: Error {
    var judgement: Judgement
  }

  /// Collects the values to compare from a part of an answer.
  static func select(
    _ path: JSONPlace, in part: AnswerPart
  ) -> Result<SelectedList, NoList> {
    let selection = path.selection(in: part)
    var list = SelectedList(mayGrow: selection.mayGrow)
    for selected in selection.places {
      guard let part = selected.part else {
        return .failure(
          NoList(
            judgement: selected.mayCome
              ? .unknown("cut off before \(selected.place)")
              : .notApplicable("nothing at \(selected.place)")))
      }
      guard path.isSingular else {
        list.add(part)
        continue
      }
      guard let elements = part.value.array else {
        return .failure(
          NoList(
            judgement: part.isComplete
              ? .notApplicable(part.value.typeWords) : .unknown(part.cutWords)))
      }
      for (index, element) in elements.enumerated() { list.add(part.child(.index(index), element)) }
      if !part.isComplete { list.mayGrow = true }
    }
    return .success(list)
  }

  private mutating func add(_ part: AnswerPart) {
    if part.isComplete { values.append((part.place, part.value)) } else { mayGrow = true }
  }

  /// Returns the judgement on a list in which no comparison failed: unknown if more values might
  /// have followed, vacuous if there are no values, and `nil` otherwise.
  func end(of path: JSONPlace) -> Judgement? {
    if mayGrow { return .unknown("cut off after \(values.count.counted("value"))") }
    return values.isEmpty ? .vacuous("no values at \(path)") : nil
  }
}

extension CheckReader {
  /// Reads the path of an assertion that compares the values of a list: the path of an array, or a
  /// path with `[*]`.
  mutating func listPath(
    _ type: String, _ node: SourceNode, _ view: SchemaView?
  ) -> JSONPlace? {
    guard let (path, inner) = path(node, view) else { return nil }
    if path.isSingular, let inner, !require(["array"], type, path, inner, node) { return nil }
    return path
  }
}
