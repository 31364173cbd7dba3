/// The options at one place, in schema order, without their probabilities.
///
/// Only the last case has names that come from the schema, so only it stores a list.
enum OptionNames: Sendable, Hashable {
  /// Another element, and the end of the array.
  case elementOrEnd
  /// An optional property, present and absent.
  case presentOrAbsent
  /// The alternatives of a union, or the cases of a string enum.
  case branches([String])

  var count: Int {
    switch self {
    case .elementOrEnd, .presentOrAbsent: 2
    case .branches(let names): names.count
    }
  }

  subscript(index: Int) -> Decision.Option {
    switch self {
    case .elementOrEnd: index == 0 ? .element : .end
    case .presentOrAbsent: index == 0 ? .present : .absent
    case .branches(let names): .branch(names[index])
    }
  }
}
