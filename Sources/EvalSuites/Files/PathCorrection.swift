import StructuredText

extension FileReading {
  /// Returns the existing path that a misspelled path probably stands for, or `nil` if there is
  /// none.
  ///
  /// - Parameter path: A path to which nothing leads.
  package func path(meantBy path: String) -> String? {
    var found = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").map(String.init) {
      let next = FilePath.join(found, part)
      if kind(next) != nil {
        found = next
        continue
      }
      let names = ((try? self.names(found.isEmpty ? "." : found)) ?? [])
        .filter { !$0.hasPrefix(".") }.sorted()
      guard let near = NearestName.nearest(to: part, among: names) else { return nil }
      found = FilePath.join(found, near)
    }
    return found == path || found.isEmpty ? nil : found
  }
}
