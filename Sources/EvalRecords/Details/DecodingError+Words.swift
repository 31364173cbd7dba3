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
    guard !path.isEmpty else { return "the record" }
    return path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }
}
