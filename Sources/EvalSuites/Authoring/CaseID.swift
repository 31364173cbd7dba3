import StructuredText

/// Derives ids for test cases that have none.
package enum CaseID {
  /// Returns an id that depends only on the test case's input, so that reordering rows changes no
  /// id.
  ///
  /// - Parameters:
  ///   - variables: The variables of the test case.
  ///   - names: The names of the variables in the prompts. If the test case has any of these
  ///     variables, the id depends only on them.
  package static func generated(from variables: JSONObject, for names: [String] = []) -> String {
    let used = variables.members.filter { names.contains($0.key) }
    let counting = used.isEmpty ? variables : JSONObject(used)
    return "input-" + JSONValue.object(counting).canonicalDigest.prefix(12)
  }
}

extension SuiteBuilder {
  /// Returns the rows of a data file, after adding ids to the rows that have none.
  ///
  /// An added id is derived from the row's variables. If two rows without an id have the same
  /// input, the second row is left out and reported as a problem.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - names: The names of the variables in the prompts.
  mutating func identified(_ rows: [SourceNode], for names: [String]) -> [SourceNode] {
    var first: [String: SourceLocation] = [:]
    return rows.compactMap { row -> SourceNode? in
      guard case .mapping(let members) = row.content, row["id"] == nil else { return row }
      let table = SuiteFormat.suiteCase
      let free = members.filter { table.row($0.key) == nil }
      guard !free.isEmpty else { return row }
      let id = CaseID.generated(
        from: JSONObject(free.map { (key: $0.key, value: $0.node.value) }), for: names)
      if let place = first[id] {
        format.problems.add(
          row.location, "the row has the same input as an earlier row, and neither has an `id`",
          allowed: "the earlier row is at \(path):\(place.line):\(place.column)")
        return nil
      }
      first[id] = row.location
      let member = SourceMember(
        key: "id", keyLocation: row.location,
        node: SourceNode(.scalar(.string(id)), at: row.location))
      return SourceNode(.mapping([member] + members), at: row.location)
    }
  }
}
