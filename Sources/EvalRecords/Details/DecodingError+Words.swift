extension DecodingError {
  /// A description of the problem in a record: the place, and what is missing or allowed there.
  package var words: String {
    switch self {
    case .keyNotFound(let key, let context):
      return "\(Self.place(context.codingPath)) lacks \(key.stringValue)"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      return "\(Self.place(context.codingPath)): \(context.debugDescription)"
    @unknown default:
      return String(describing: self)
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the record" : path.map(\.stringValue).joined(separator: ".")
  }
}
