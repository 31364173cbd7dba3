/// The members of a JSON object in the order in which they were written.
///
/// Keys are unique. A lookup takes linear time in small objects and constant time in large ones.
public struct JSONObject: Sendable {
  /// One member: a key and its value.
  public typealias Member = (key: String, value: JSONValue)

  /// The members in order.
  public private(set) var members: [Member]

  /// The index of each key in `members`, kept only for objects with many members.
  private var index: [String: Int]

  private static let indexedFrom = 32

  /// Creates an object from members; if a key repeats, the later value replaces the earlier one.
  ///
  /// - Parameter members: The members in order.
  public init(_ members: some Sequence<Member> = EmptyCollection()) {
    self.members = []
    self.index = [:]
    self.members.reserveCapacity(members.underestimatedCount)
    for member in members { self[member.key] = member.value }
  }

  /// Creates an object from members whose keys are known to be unique.
  init(uniqueMembers members: [Member]) {
    self.members = members
    self.index = [:]
    rebuildIndex()
  }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }

  /// The value of a key, or nil if there is no such key.
  ///
  /// Setting nil removes the member, and setting a value for a new key appends a member.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?):
        members[position].value = value
      case (let position?, nil):
        members.remove(at: position)
        rebuildIndex()
      case (nil, let value?):
        members.append((key, value))
        if members.count == Self.indexedFrom {
          rebuildIndex()
        } else if members.count > Self.indexedFrom {
          index[key] = members.count - 1
        }
      case (nil, nil):
        break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if members.count >= Self.indexedFrom { return index[key] }
    return members.firstIndex { $0.key == key }
  }

  private mutating func rebuildIndex() {
    index = [:]
    guard members.count >= Self.indexedFrom else { return }
    for (position, member) in members.enumerated() { index[member.key] = position }
  }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(Set(keys))
  }
}

extension JSONObject: Sequence {
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
