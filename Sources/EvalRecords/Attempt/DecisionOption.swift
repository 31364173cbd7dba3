/// An option of a decision.
///
/// The names of branches come from the schema, so they may be anything: an enum case named `end` is
/// not the end of an array.
public enum DecisionOption: Sendable, Hashable {
  /// Another element of the array.
  case element
  /// The end of the array.
  case end
  /// The optional property is present.
  case present
  /// The optional property is absent.
  case absent
  /// The enum case, or the alternative of a union, with the given name.
  case branch(String)

  /// Creates an option from its stored name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - kind: The kind of the decision, which says what the name means.
  public init(name: String, in kind: DecisionRecord.Kind) {
    self =
      switch (kind, name) {
      case (.array, Self.element.name): .element
      case (.array, Self.end.name): .end
      case (.optional, Self.present.name): .present
      case (.optional, Self.absent.name): .absent
      default: .branch(name)
      }
  }

  /// The name with which records and databases store the option, and with which suites and reports
  /// write it.
  public var name: String {
    switch self {
    case .element: "element"
    case .end: "end"
    case .present: "present"
    case .absent: "absent"
    case .branch(let name): name
    }
  }
}
