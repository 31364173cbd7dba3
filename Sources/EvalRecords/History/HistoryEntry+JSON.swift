import StructuredText

/// Reads and writes the line of an entry in `history.jsonl` (`docs/history-format.md`).
extension HistoryEntry {
  /// An error that says what is wrong with a line.
  package struct Problem: Error {
    package let text: String
  }

  static let version = 1

  /// Returns the entry's line, without a line feed.
  ///
  /// - Parameter known: The keys of the guide texts that are already in the file.
  package func line(leavingOut known: Set<String> = []) -> String {
    var members: JSONObject = [
      "assay": "history", "version": .number(JSONNumber(Self.version)),
      "run": .number(JSONNumber(run)), "label": .string(label), "started": .string(startedAt),
      "finished": finishedAt.map { .string($0) } ?? .null, "status": .string(status.rawValue),
      "exit": .number(JSONNumber(exitStatus)), "verdict": .string(verdict),
      "commit": commit.map { .string($0) } ?? .null, "tool": .string(toolVersion),
      "backends": .array(backends.map(\.json)), "suites": .array(slices.map(\.json)),
    ]
    let added = texts.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
    if let branch { members["branch"] = .string(branch) }
    if let state { members["state"] = .string(state.rawValue) }
    if let acknowledgedSince { members["acknowledged"] = .string(acknowledgedSince) }
    if let step {
      let parts = [step.words] + [step.command].compactMap { $0 }
      members["step"] = .array(parts.map { .string($0) })
    }
    if !causes.isEmpty { members["causes"] = .array(causes.map { .string($0) }) }
    if !variants.isEmpty { members["variants"] = .array(variants.map { .string($0) }) }
    if !added.isEmpty {
      members["guides"] = .object(
        JSONObject(added.map { (key: $0.key, value: .array($0.value.map(\.json))) }))
    }
    return JSONValue.object(members).compactText
  }

  /// Creates an entry from a line.
  ///
  /// The initializer skips unknown members, so that a later version of Assay can add members
  /// without changing the format version.
  package init(line: [UInt8]) throws(Problem) {
    let value: JSONValue
    do {
      value = try JSONReader.readValue(line)
    } catch {
      throw Problem(text: "not JSON: \(error.problem)")
    }
    guard value["assay"]?.string == "history" else {
      throw Problem(text: "not a line of a history: `\"assay\":\"history\"` is missing")
    }
    guard let version = value["version"]?.int, version >= 1 else {
      throw Problem(text: "`version` is missing or not a whole number of at least 1")
    }
    guard version <= Self.version else {
      throw Problem(text: "version \(version) is newer than this program's \(Self.version)")
    }
    let fields = Fields(value)
    self.init(
      run: try fields.int("run"), label: fields.text("label") ?? "",
      startedAt: try fields.needed("started"), finishedAt: fields.text("finished"),
      status: try fields.status("status"), exitStatus: value["exit"]?.int ?? 0,
      verdict: fields.text("verdict") ?? "",
      state: fields.text("state").flatMap(RunState.init), commit: fields.text("commit"),
      branch: fields.text("branch"),
      toolVersion: fields.text("tool") ?? "", backends: [], slices: [], texts: [:])
    acknowledgedSince = fields.text("acknowledged")
    let parts = (value["step"]?.array ?? []).compactMap(\.string)
    step = parts.first.map { Step(words: $0, command: parts.dropFirst().first) }
    causes = (value["causes"]?.array ?? []).compactMap(\.string)
    variants = (value["variants"]?.array ?? []).compactMap(\.string)
    for (number, backend) in (value["backends"]?.array ?? []).enumerated() {
      backends.append(try Backend(Fields(backend, "backends[\(number)].")))
    }
    for (number, suite) in (value["suites"]?.array ?? []).enumerated() {
      slices.append(try Slice(Fields(suite, "suites[\(number)].")))
    }
    for (key, guides) in value["guides"]?.object?.members ?? [] {
      texts[key] = (guides.array ?? []).compactMap(GuideText.init)
    }
  }

  /// Reads the members of an object, and throws an error if a required member is missing or wrong.
  fileprivate struct Fields {
    let value: JSONValue
    let place: String

    init(_ value: JSONValue, _ place: String = "") { (self.value, self.place) = (value, place) }

    func text(_ name: String) -> String? { value[name]?.string }

    func needed(_ name: String) throws(Problem) -> String {
      guard let text = text(name) else {
        throw Problem(text: "`\(place)\(name)` is missing or not a string")
      }
      return text
    }

    func int(_ name: String) throws(Problem) -> Int {
      guard let number = value[name]?.int else {
        throw Problem(text: "`\(place)\(name)` is missing or not a whole number")
      }
      return number
    }

    func number(_ name: String) -> Double { value[name]?.double ?? 0 }

    func status(_ name: String) throws(Problem) -> RunRecord.Status {
      guard let status = RunRecord.Status(rawValue: try needed(name)) else {
        let names = RunRecord.Status.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(text: "`\(place)\(name)`: \(names) are allowed")
      }
      return status
    }
  }
}

extension HistoryEntry.Backend {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "model": .string(model), "sha256": digest.map { .string($0) } ?? .null,
      "engine": .string(engine), "toy": .bool(isToy),
    ]
  }

  fileprivate init(_ fields: HistoryEntry.Fields) throws(HistoryEntry.Problem) {
    self.init(
      id: try fields.needed("id"), model: fields.text("model") ?? "",
      digest: fields.text("sha256"), engine: fields.text("engine") ?? "",
      isToy: fields.value["toy"]?.bool ?? false)
  }
}

extension HistoryEntry.Slice {
  fileprivate var json: JSONValue {
    var members: JSONObject = [
      "suite": .string(key.suite), "variant": .string(key.variant),
      "backend": .string(key.backend), "type": .string(schemaName),
      "gate": needed.map { .number(JSONNumber($0)) } ?? .null, "guides": .string(guides),
      "cases": .array(
        cases.map { item in
          let counts: [JSONValue] = [.string(item.id), number(item.passed), number(item.made)]
          return .array(
            item.tags.isEmpty ? counts : counts + [.array(item.tags.map { .string($0) })])
        }),
      "measures": .array(
        measures.compactMap { measure in
          measure.quantity.historyNames.map { kind, subject in
            .array(
              [.string(kind), .string(subject), number(measure.hits), number(measure.count)]
                + (measure.interval.map { [rounded($0.lowerBound), rounded($0.upperBound)] } ?? []))
          }
        }),
      "seconds": [rounded(medianSeconds), rounded(p95Seconds)],
      "tokens": rounded(medianTokens), "promptTokens": rounded(medianPromptTokens),
    ]
    if let verdict { members["comparison"] = .string(verdict.rawValue) }
    if let isReached { members["reached"] = .bool(isReached) }
    if isPart { members["part"] = .bool(true) }
    if let hasBaseline { members["baseline"] = .bool(hasBaseline) }
    if let errors { members["errors"] = number(errors) }
    if let reference { members["reference"] = [number(reference.passed), number(reference.made)] }
    if let results { members["results"] = .array(results.compactMap(\.json)) }
    let bases = cases.compactMap(\.basis)
    if !bases.isEmpty, bases.count == cases.count {
      members["bases"] = .array(bases.map { .string($0) })
    }
    return .object(members)
  }

  private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// A number rounded to six decimals, so that times are in whole microseconds.
  private func rounded(_ value: Double) -> JSONValue {
    .number(JSONNumber((value * 1e6).rounded() / 1e6))
  }

  fileprivate init(_ fields: HistoryEntry.Fields) throws(HistoryEntry.Problem) {
    let value = fields.value
    let place = fields.place
    self.init(
      key: SliceKey(
        suite: try fields.needed("suite"), variant: try fields.needed("variant"),
        backend: try fields.needed("backend")),
      schemaName: fields.text("type") ?? "", needed: value["gate"]?.double,
      guides: fields.text("guides") ?? "", cases: [], measures: [],
      medianSeconds: value["seconds"]?.array?.first?.double ?? 0,
      p95Seconds: value["seconds"]?.array?.dropFirst().first?.double ?? 0,
      medianTokens: fields.number("tokens"), medianPromptTokens: fields.number("promptTokens"),
      verdict: fields.text("comparison").flatMap(ComparisonVerdict.init),
      isReached: value["reached"]?.bool, isPart: value["part"]?.bool ?? false,
      hasBaseline: value["baseline"]?.bool, errors: value["errors"]?.int)
    if let total = value["reference"]?.array, total.count == 2,
      let count = Self.count(total[0], of: total[1])
    {
      reference = .init(passed: count.hits, made: count.of)
    }
    // A newer version of Assay may judge criteria that this version doesn't know.
    results = value["results"]?.array?.compactMap(CriterionResult.init)
    cases.reserveCapacity(value["cases"]?.array?.count ?? 0)
    for (number, entry) in (value["cases"]?.array ?? []).enumerated() {
      guard let parts = entry.array, parts.count >= 3, let id = parts[0].string,
        let count = Self.count(parts[1], of: parts[2])
      else {
        throw HistoryEntry.Problem(
          text: "`\(place)cases[\(number)]` must be [id, passed, made], where passed is at most "
            + "made")
      }
      cases.append(
        .init(
          id: id, passed: count.hits, made: count.of,
          tags: (parts.dropFirst(3).first?.array ?? []).compactMap(\.string)))
    }
    if let bases = value["bases"]?.array, bases.count == cases.count {
      for (number, basis) in bases.enumerated() { cases[number].basis = basis.string }
    }
    for (number, entry) in (value["measures"]?.array ?? []).enumerated() {
      guard let parts = entry.array, parts.count >= 4, let kind = parts[0].string,
        let subject = parts[1].string, let count = Self.count(parts[2], of: parts[3])
      else {
        throw HistoryEntry.Problem(
          text: "`\(place)measures[\(number)]` must be [kind, subject, hits, count], where hits is "
            + "at most count")
      }
      // A newer version of Assay may count quantities that this version doesn't know.
      guard let quantity = Quantity(historyKind: kind, subject: subject) else { continue }
      var interval: ClosedRange<Double>?
      if parts.count >= 6, let low = parts[4].double, let high = parts[5].double,
        0 <= low, low <= high, high <= 1
      {
        interval = low...high
      }
      measures.append(
        .init(quantity: quantity, hits: count.hits, count: count.of, interval: interval))
    }
  }

  /// Reads two numbers, hits and the count that includes them, or returns `nil` if either number is
  /// invalid.
  ///
  /// The hits must not exceed the count. Neither number may be negative, and both must be below
  /// 2^40, so that sums over thousands of nights can't overflow.
  private static func count(_ hits: JSONValue, of count: JSONValue) -> (hits: Int, of: Int)? {
    guard let hits = hits.int, let count = count.int, hits >= 0, hits <= count, count < 1 << 40
    else { return nil }
    return (hits, count)
  }
}

extension CriterionResult {
  /// The result as an array: `["metric","latency",false,null,300]`.
  fileprivate var json: JSONValue? {
    criterion.historyNames.map { kind, subject in
      let bounds = [allowed?.lowerBound, allowed?.upperBound].map { bound -> JSONValue in
        bound.flatMap { $0.isFinite ? .number(JSONNumber($0)) : nil } ?? .null
      }
      return .array(
        [.string(kind), .string(subject), .bool(isGood)] + (allowed == nil ? [] : bounds))
    }
  }

  /// Creates a result, or returns `nil` if the value isn't one that this version knows.
  fileprivate init?(_ value: JSONValue) {
    guard let parts = value.array, parts.count >= 3, let kind = parts[0].string,
      let subject = parts[1].string, let isGood = parts[2].bool,
      let criterion = Criterion(historyKind: kind, subject: subject)
    else { return nil }
    self.init(criterion, isGood: isGood)
    guard parts.count >= 5 else { return }
    let (low, high) = (parts[3].double ?? -.infinity, parts[4].double ?? .infinity)
    if low <= high { allowed = low...high }
  }
}
