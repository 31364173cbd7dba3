import EvalRecords
import StructuredText

/// The values that `unique` and `sorted` compare: those that the path selects, or, for a singular
/// path, the elements of the array there.
struct SelectedList {
  /// The complete values, in document order.
  var values: [(place: ValuePath, value: JSONValue)] = []
  /// Whether there might have been more values if the answer had not been cut off.
  var mayGrow = false

  /// An error for a path that leads to no list, with the judgement that follows.
  struct NoList: Error {
    /// The judgement.
    var judgement: Judgement
  }

  /// Selects the values of a path in a part of an answer.
  static func select(
    _ path: ValuePath, in part: AnswerPart
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

  /// Returns the judgement that remains if no value in the list was decisive: unknown if more
  /// values may come, vacuous if there are no values, and otherwise nil.
  func end(of path: ValuePath) -> Judgement? {
    if mayGrow { return .unknown("cut off after \(values.count.counted("value"))") }
    return values.isEmpty ? .vacuous("no values at \(path)") : nil
  }
}

extension CheckReader {
  /// Returns the path for a kind that needs a list: an array, or the values of a path with `[*]`.
  mutating func listPath(
    _ type: String, _ node: SourceNode, _ view: SchemaView?
  ) -> ValuePath? {
    guard let (path, inner) = path(node, view) else { return nil }
    if path.isSingular, let inner, !require(["array"], type, path, inner, node) { return nil }
    return path
  }
}
