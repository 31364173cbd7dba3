import GuidedGeneration
import Patterns
import StructuredText

/// Compiles objects with keys that the schema doesn't name, or with bounds on the number of
/// properties.
extension GrammarCompiler {
  /// The maximum number of key patterns in one object.
  private static var mostRules: Int { 6 }

  mutating func addOpen(
    _ object: ObjectSchema, members: [Grammar.Member], path: String, depth: Int
  ) throws(GrammarError) -> UInt32 {
    var members = members
    var extras: [Grammar.Extra] = []
    if let extra = object.extra {
      let declared = object.properties.map(\.name) + extra.excludedNames
      if let names = extra.names, let choices = names.choices {
        // If the object allows only a finite number of names, each name becomes an optional
        // property.
        let known = Set(declared)
        for name in try filtered(choices, names, path) where !known.contains(name) {
          guard let node = try node(of: name, extra, path) else { continue }
          let number = try add(node, path: Self.path(path, member: name), depth: depth + 1)
          let key = keyStates(name)
          members.append(
            Grammar.Member(
              name: name, isOptional: true, node: number, key: key.plain, commaKey: key.afterComma))
        }
      } else {
        extras = try addExtras(extra, declared: declared, path: path, depth: depth)
      }
    }
    let minimum = object.count?.minimum ?? 0
    for bound in [minimum, object.count?.maximum ?? 0] where bound > limits.properties {
      throw limit("number of properties", bound, limits.properties, path)
    }
    let required = members.count { !$0.isOptional }
    let most = object.count?.maximum
    if required > most ?? .max {
      throw GrammarError(
        path: path,
        problem: .unsatisfiable(
          keyword: "minProperties", minimum: "\(required)", maximum: "\(most ?? 0)"))
    }
    let counted = Self.keepCounts(&extras)
    if extras.allSatisfy({ $0.keyCount != nil }), minimum > members.count + counted {
      throw GrammarError(
        path: path, problem: .tooFewKeys(minimum: minimum, possible: members.count + counted))
    }
    var requiredFrom = [UInt32](repeating: 0, count: members.count + 1)
    for index in members.indices.reversed() {
      requiredFrom[index] = requiredFrom[index + 1] + (members[index].isOptional ? 0 : 1)
    }
    return try append(
      .openObject(
        Grammar.OpenObject(
          members: members, requiredFrom: requiredFrom, extras: extras, countedKeys: counted,
          minimum: UInt32(minimum), maximum: most.map { UInt32($0) })), path: path)
  }

  /// Removes the numbers of keys if no object can have that many keys.
  ///
  /// - Returns: The sum of the numbers that are left.
  private static func keepCounts(_ extras: inout [Grammar.Extra]) -> Int {
    let sum = extras.reduce(0) { $0 + ($1.keyCount ?? 0) }
    if sum <= UsedKeys.limit { return sum }
    for index in extras.indices { extras[index].keyCount = nil }
    return 0
  }

  /// Returns the schema of the value under a key, or nil if the object can't have the key.
  private mutating func node(
    of name: String, _ extra: ExtraProperties, _ path: String
  ) throws(GrammarError) -> SchemaNode? {
    var nodes: [SchemaNode] = []
    for rule in extra.rules where try automaton(rule.pattern, path).accepts(name.utf8) {
      if !nodes.contains(rule.node) { nodes.append(rule.node) }
    }
    if nodes.count > 1 { throw overlap(path) }
    return nodes.first ?? extra.others
  }

  private func overlap(_ path: String) -> GrammarError {
    GrammarError(
      path: path, problem: .combination("a pattern of `patternProperties`", "one that overlaps it"))
  }

  private mutating func addExtras(
    _ extra: ExtraProperties, declared: [String], path: String, depth: Int
  ) throws(GrammarError) -> [Grammar.Extra] {
    guard extra.rules.count <= Self.mostRules else {
      throw limit("patterns for keys", extra.rules.count, Self.mostRules, path)
    }
    var rules: [ByteAutomaton] = []
    for rule in extra.rules { rules.append(try automaton(rule.pattern, path)) }
    let names = extra.names ?? StringSchema()
    var extras: [Grammar.Extra] = []
    // Each subset of the rules stands for the keys that match all rules in the subset and no other
    // rules. The values of keys that match no rule have the schema `others`.
    for subset in 0..<(1 << rules.count) {
      let inside = rules.indices.filter { subset >> $0 & 1 == 1 }
      var nodes: [SchemaNode] = []
      for index in inside where !nodes.contains(extra.rules[index].node) {
        nodes.append(extra.rules[index].node)
      }
      if inside.isEmpty, let others = extra.others { nodes = [others] }
      guard let node = nodes.first else { continue }
      let isFree =
        rules.isEmpty && declared.isEmpty && names == StringSchema()
      let states: UInt32?
      if isFree {
        states = nil
      } else {
        guard
          let known = try stringStates(
            names, also: inside.map { rules[$0] },
            excluding: rules.indices.filter { subset >> $0 & 1 == 0 }.map { rules[$0] },
            names: declared, path: path)
        else { continue }
        states = known
      }
      if nodes.count > 1 { throw overlap(path) }
      let number = try add(node, path: path + JSONPlace.Step.wildcard.text, depth: depth + 1)
      let count = states.flatMap { grammar.states.keyCount(from: $0, limit: UsedKeys.limit) }
      extras.append(Grammar.Extra(key: states, node: number, keyCount: count))
    }
    return extras
  }

  /// Compiles a pattern if it is new, and charges the work to the schema's budget.
  mutating func automaton(
    _ pattern: String, _ path: String
  ) throws(GrammarError) -> ByteAutomaton {
    let key = Array(pattern.utf8)
    if let known = automata[key] { return known }
    do throws(PatternError) {
      let automaton = try Pattern(parsing: pattern, within: patternBudget).automaton
      automata[key] = automaton
      return automaton
    } catch {
      throw GrammarError(path: path, problem: .pattern(pattern, reason: error.description))
    }
  }

  /// Adds an automaton for the JSON strings that a schema allows and that also match all of
  /// `included`, match none of `excluded`, and are not in `names`.
  ///
  /// - Returns: The first state of the automaton, or nil if there are no such strings.
  mutating func stringStates(
    _ string: StringSchema, also included: [ByteAutomaton] = [],
    excluding excluded: [ByteAutomaton] = [], names: [String] = [], path: String
  ) throws(GrammarError) -> UInt32? {
    var included = included
    for pattern in string.patterns { included.append(try automaton(pattern, path)) }
    if included.isEmpty { included = [try automaton("[\\s\\S]*", path)] }
    var excluded = excluded
    for pattern in string.excludedPatterns { excluded.append(try automaton(pattern, path)) }
    let language = StringLanguage(
      included: included, excluded: excluded,
      names: (string.excludedChoices + names).map { Array($0.utf8) })
    var builder = PatternStringBuilder(
      language: language, length: try lengthBounds(of: string, path: path),
      dialect: grammar.options.dialect, limit: limits.patternStates)
    guard let draft = builder.build() else {
      throw limit("states of a pattern", limits.patternStates + 1, limits.patternStates, path)
    }
    do throws(PatternError) {
      try patternBudget.spend(draft.edges.count * 32)
    } catch {
      throw GrammarError(
        path: path, problem: .pattern(string.pattern ?? "", reason: error.description))
    }
    guard let state = grammar.states.append(draft) else { return nil }
    try checkStates(path: path)
    return state
  }
}
