/// The identity of an assertion: a digest of everything that decides its verdicts.
public struct AssertionIdentity: Sendable, Hashable, Codable {
  /// The name under which the test case's verdicts are stored.
  public var name: String
  /// The SHA-256 of the assertion's canonical form, in hexadecimal.
  ///
  /// The form contains the kind with its version, the path, all arguments, the weight, and the
  /// digests of the files that an external program's command line names. It doesn't contain the
  /// name, so a renamed assertion is the same assertion.
  public var digest: String
  /// The digest without the weight, or `nil` if the weight is 1.
  public var unweighted: String?

  /// Creates an identity.
  public init(name: String, digest: String, unweighted: String? = nil) {
    self.name = name
    self.digest = digest
    self.unweighted = unweighted
  }

  /// The digest of what decides the assertion's own verdicts: two assertions with the same one may
  /// differ in their names and weights.
  package var verdictDigest: String { unweighted ?? digest }
}

/// The identities of all assertions of a suite, each stored only once.
public struct AssertionIdentities: Sendable, Hashable, Codable {
  /// The different identities.
  private var all: [AssertionIdentity] = []
  /// The assertions that every test case has first, as indices into ``all``.
  private var shared: [Int] = []
  /// The further assertions of test cases, keyed by test case id, as indices into ``all``.
  private var own: [String: [Int]] = [:]

  /// Creates the identities of a suite's assertions.
  ///
  /// - Parameters:
  ///   - shared: The assertions that every test case has first.
  ///   - own: The further assertions of each test case.
  public init(
    shared: [AssertionIdentity], own: [(caseID: String, assertions: [AssertionIdentity])]
  ) {
    var places: [AssertionIdentity: Int] = [:]
    func indices(_ identities: [AssertionIdentity], in all: inout [AssertionIdentity]) -> [Int] {
      identities.map { identity in
        if let place = places[identity] { return place }
        all.append(identity)
        places[identity] = all.count - 1
        return all.count - 1
      }
    }
    self.shared = indices(shared, in: &all)
    for (caseID, assertions) in own where !assertions.isEmpty {
      self.own[caseID] = indices(assertions, in: &all)
    }
  }

  /// Returns the assertions of a test case, in the order of ``CaseRecord/assertions``.
  public func assertions(of caseID: String) -> [AssertionIdentity] {
    (shared + (own[caseID] ?? [])).compactMap { all.indices.contains($0) ? all[$0] : nil }
  }

  /// Returns the assertions that belong to a test case only.
  package func own(of caseID: String) -> [AssertionIdentity] {
    (own[caseID] ?? []).compactMap { all.indices.contains($0) ? all[$0] : nil }
  }

  /// Renames test cases.
  ///
  /// - Parameter names: The new ids, keyed by the old ones.
  package mutating func renameCases(_ names: [String: String]) {
    own = Dictionary(
      own.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the names of the assertions of a test case that differ from another record's, by their
  /// digests or only by their order.
  package func differences(
    to other: AssertionIdentities, of caseID: String
  ) -> [String] {
    let (left, right) = (assertions(of: caseID), other.assertions(of: caseID))
    var seen: Set<String> = []
    return AssertionIdentity.differences(left, right).map(\.name)
      .filter { seen.insert($0).inserted }
  }
}

extension AssertionIdentity {
  /// Returns the elements that only one of two lists has or, if there are none, the elements at the
  /// positions at which the lists differ.
  package static func differences<Element: Hashable>(
    _ left: [Element], _ right: [Element]
  ) -> [Element] {
    guard left != right else { return [] }
    let (before, after) = (Set(left), Set(right))
    let different = left.filter { !after.contains($0) } + right.filter { !before.contains($0) }
    return different.isEmpty ? zip(left, right).filter { $0 != $1 }.map(\.0) : different
  }
}
