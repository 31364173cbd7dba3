import StructuredText

/// Writes an assertion in a form that is the same for everything that means the same.
///
/// The form follows from the tables of the suite format, so it contains every argument of every
/// kind, and a new argument can't be forgotten. These differences disappear: the order of keys, the
/// style of the document, the spelling of paths, numbers and formulas, arguments that are equal to
/// their defaults, `exact` in place of equal bounds, and `is` in place of a list of one name.
struct CanonicalForm {
  /// Access to the files that an external program's command line names.
  let files: FileReading
  /// The folder of the suite file, in which external programs run.
  let folder: String
  /// The names of the environment variables that external programs receive.
  let environment: [String]

  /// Returns the digest of an entry in a list of assertions, and the digest that the entry would
  /// have without its weight, or `nil` if the weight is 1.
  ///
  /// - Parameters:
  ///   - node: The entry, which has passed the format check.
  ///   - check: The check that was read from the entry.
  func digests(of node: SourceNode, _ check: any Check) -> (String, unweighted: String?) {
    func digest(_ value: JSONValue) -> String {
      var form: JSONObject = ["assertion": value]
      if let facts = check.factsOfSchema { form["schema"] = .string(facts) }
      return JSONValue.object(form).canonicalDigest
    }
    let whole = value(of: node, .table(.assertion))
    guard var unweighted = whole.object, unweighted["weight"] != nil else {
      return (digest(whole), nil)
    }
    unweighted["weight"] = nil
    return (digest(whole), digest(.object(unweighted)))
  }

  private func value(of node: SourceNode, _ kind: KeyKind) -> JSONValue {
    switch (kind, node.content) {
    case (.list(let element, _), .sequence(let nodes)):
      return .array(nodes.map { value(of: $0, element) })
    case (.table(let name), .mapping(let members)):
      return .object(mapping(members, name))
    case (.path, .scalar(.string(let text))):
      let isRelative = text.hasPrefix("@")
      guard let path = try? JSONPlace(parsing: text, isRelative: isRelative) else { break }
      return .string(isRelative ? path.relativeDescription : path.description)
    case (.formula, .scalar(.string(let text))):
      if let expression = try? Expression(parsing: text) { return expression.root.canonicalForm }
    default: break
    }
    return node.value
  }

  private func mapping(_ members: [SourceMember], _ name: TableName) -> JSONObject {
    let table = name.table
    var object = JSONObject()
    for member in members {
      let row = table.row(member.key)
      let value = value(of: member.node, row?.kind ?? .value)
      if let row, value == row.fallbackValue { continue }
      let isEntry = name == .assertion || name == .elementAssertion
      // The name doesn't change what the assertion does.
      if isEntry, member.key == "name" { continue }
      let version = isEntry ? AssertionKind.named(member.key).map { " \($0.version)" } : nil
      object[member.key + (version ?? "")] = value
    }
    expandShorthand(&object, table)
    if name == .check(.command) { addProgram(to: &object) }
    return object
  }

  /// Writes `exact: 3` as `min: 3, max: 3`, and `is: a` as `in: [a]`.
  private func expandShorthand(_ object: inout JSONObject, _ table: KeyTable) {
    if let exact = object["exact"], table.row("min") != nil, table.row("max") != nil {
      object["exact"] = nil
      object["min"] = exact
      object["max"] = exact
    }
    if let name = object["is"], table.row("in") != nil {
      object["is"] = nil
      object["in"] = .array([name])
    }
  }

  /// Adds the contents of the files that a command line names, and the names of the environment
  /// variables that the program receives.
  private func addProgram(to object: inout JSONObject) {
    var digests = JSONObject()
    for argument in object["run"]?.array?.compactMap(\.string) ?? [] {
      // Options can name files too: `--rules=rules.json`.
      let option = argument.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
      for name in [argument, option].compactMap(\.self)
      where !name.isEmpty && !name.hasPrefix("/") {
        let path = FilePath.join(folder, name)
        guard files.kind(path) == .file, let bytes = try? files.bytes(path) else { continue }
        digests[name] = .string(SHA256.hexDigest(of: bytes))
      }
    }
    if !digests.members.isEmpty { object["files"] = .object(digests) }
    if !environment.isEmpty {
      object["environment"] = .array(environment.sorted().map { .string($0) })
    }
  }
}

extension KeyRow {
  /// The default as a value, or `nil` if ``fallback`` describes it in words.
  fileprivate var fallbackValue: JSONValue? {
    switch kind {
    case .path, .choice:
      guard fallback.count > 2, fallback.hasPrefix("`"), fallback.hasSuffix("`") else { return nil }
      return .string(String(fallback.dropFirst().dropLast()))
    case .flag, .integer, .number: return try? JSONValue(parsing: fallback)
    default: return nil
    }
  }
}
