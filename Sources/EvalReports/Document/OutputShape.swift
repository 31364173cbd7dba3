import StructuredText

/// The array lengths and branches of one decoded output.
struct OutputShape: Sendable {
  /// The length of each array, with the array's number in `OutputPlaces`.
  var lengths: [(array: Int, length: Int)] = []
  /// The name of each chosen branch, with the number of the branch's place in `OutputPlaces`.
  var cases: [(branch: Int, name: String)] = []

  /// Creates a shape from the text of an output.
  ///
  /// - Parameters:
  ///   - output: The text of a complete value.
  ///   - places: The paths to look at.
  /// - Returns: The lengths and branches, or `nil` if the text is not a JSON value.
  init?(output: String, places: OutputPlaces) {
    guard let value = try? JSONValue(parsing: output) else { return nil }
    walk(value, places.root)
  }

  private mutating func walk(_ value: JSONValue, _ node: OutputPlaces.Node) {
    if let array = node.array, case .array(let elements) = value {
      lengths.append((array, elements.count))
    }
    if let branch = node.branch {
      switch value {
      case .string(let name): cases.append((branch, name))
      case .object(let members):
        if let name = members["type"]?.string { cases.append((branch, name)) }
      default: break
      }
    }
    switch value {
    case .array(let elements):
      guard let child = node.element else { return }
      for element in elements { walk(element, child) }
    case .object(let members):
      guard !node.members.isEmpty else { return }
      for (name, member) in members {
        if let child = node.members[name] { walk(member, child) }
      }
    default: return
    }
  }
}

/// The paths of arrays and branches as a tree, so that a single walk over an output finds all their
/// values.
struct OutputPlaces: Sendable {
  /// A place in the value.
  final class Node: Sendable {
    let array: Int?
    let branch: Int?
    let element: Node?
    let members: [String: Node]

    init(array: Int?, branch: Int?, element: Node?, members: [String: Node]) {
      self.array = array
      self.branch = branch
      self.element = element
      self.members = members
    }
  }

  /// The node of the whole value.
  let root: Node

  /// Whether the tree has no paths.
  let isEmpty: Bool

  /// Creates a tree from the paths of arrays and branches.
  init(arrays: [String], branches: [String]) {
    let arrayPaths = arrays.enumerated().compactMap { Self.numbered($1, $0) }
    let branchPaths = branches.enumerated().compactMap { Self.numbered($1, $0) }
    root = Self.node(arrayPaths, branchPaths, depth: 0)
    isEmpty = arrays.isEmpty && branches.isEmpty
  }

  private typealias Numbered = (steps: [JSONPlace.Step], number: Int)

  private static func numbered(_ path: String, _ number: Int) -> Numbered? {
    (try? JSONPlace(parsing: path)).map { ($0.steps, number) }
  }

  private static func node(_ arrays: [Numbered], _ branches: [Numbered], depth: Int) -> Node {
    func below(_ paths: [Numbered], _ step: JSONPlace.Step) -> [Numbered] {
      paths.filter { $0.steps.count > depth && $0.steps[depth] == step }
    }
    var steps: Set<JSONPlace.Step> = []
    for path in arrays + branches where path.steps.count > depth {
      steps.insert(path.steps[depth])
    }
    let hasElement = steps.remove(.wildcard) != nil
    var members: [String: Node] = [:]
    for step in steps {
      guard case .name(let name) = step else { continue }
      members[name] = node(below(arrays, step), below(branches, step), depth: depth + 1)
    }
    return Node(
      array: arrays.first { $0.steps.count == depth }?.number,
      branch: branches.first { $0.steps.count == depth }?.number,
      element: hasElement
        ? node(below(arrays, .wildcard), below(branches, .wildcard), depth: depth + 1) : nil,
      members: members)
  }
}
