/// Finds the decisions at a place.
extension TokenAutomaton {
  /// The maximum number of parts of the grammar whose decisions the automaton tracks at one place;
  /// each member in a chain of optional members is one part.
  private static var mostSites: Int { 256 }

  /// Returns the site with a number from `sites(at:)`.
  ///
  /// The numbers that `expand` records are different: they are continuation numbers.
  func site(_ number: UInt32) -> DecisionSite { decisionCache.sites[Int(number)] }

  /// Returns the sites at a configuration, including sites inside the options of other sites; outer
  /// sites come first.
  ///
  /// The order depends only on the grammar, not on what the automaton has done before.
  func sites(at configuration: Configuration) -> [UInt32] {
    if headers[Int(configuration)].siteCount == 0 { return [] }
    if let known = decisionCache.lists[configuration] { return known }
    let result = groups(findParts(at: configuration)).map(siteNumber)
    remember(bytes: 64 + result.count * MemoryLayout<UInt32>.stride)
    decisionCache.lists[configuration] = result
    return result
  }

  // MARK: Parts

  /// A part of the grammar that leaves a choice at a place.
  private struct SitePart {
    /// The continuation that `expand` recorded.
    var number: UInt32
    var likeness: Likeness
  }

  /// The features that parts must have in common to form one decision.
  private struct Likeness: Hashable {
    var kind: DecisionKind
    var names: OptionNames
    var member: String?
    var isStringEnum: Bool
    /// The number of similar parts around this part.
    ///
    /// Because of this number, a union that is inside an option of a similar union is a separate
    /// decision.
    var depth = 0

    /// Hashes how many names there are, but not the names themselves.
    ///
    /// An enum may have a hundred thousand names, so hashing all of them would be slow.
    func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(member)
      hasher.combine(names.count)
      hasher.combine(depth)
    }

    init(_ site: DecisionSite) {
      (kind, names, member) = (site.kind, site.names, site.member)
      if case .choices = site.reading { isStringEnum = true } else { isStringEnum = false }
    }
  }

  private func findParts(at configuration: Configuration) -> [SitePart] {
    var result: [SitePart] = []
    var seen: Set<UInt32> = []
    var open: [(Configuration, within: [Likeness])] = [(configuration, [])]
    while let (next, within) = open.popLast() {
      let header = headers[Int(next)]
      let range = Int(header.firstSite)..<Int(header.firstSite + header.siteCount)
      for number in sites[range].sorted(by: precedes) where seen.insert(number).inserted {
        if result.count == Self.mostSites { return result }
        let part = sitePart(number)
        var likeness = Likeness(part)
        likeness.depth = within.count { $0 == likeness }
        result.append(SitePart(number: number, likeness: likeness))
        if case .branches(let branches) = part.options {
          likeness.depth = 0
          open += branches.reversed().map { ($0.configuration, within + [likeness]) }
        }
      }
    }
    return result
  }

  /// Returns whether one continuation comes before another; the method compares the two linked
  /// lists element by element.
  private func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    var (left, right) = (left, right)
    while left != right {
      let (a, b) = (continuations[left], continuations[right])
      if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
      if a.argument != b.argument { return a.argument < b.argument }
      if a.count != b.count { return a.count < b.count }
      if a.depth != b.depth { return a.depth < b.depth }
      (left, right) = (a.next, b.next)
    }
    return false
  }

  private func groups(_ parts: [SitePart]) -> [[UInt32]] {
    var result: [[UInt32]] = []
    var places: [Likeness: Int] = [:]
    for part in parts {
      if let place = places[part.likeness] {
        result[place].append(part.number)
      } else {
        places[part.likeness] = result.count
        result.append([part.number])
      }
    }
    return result
  }

  // MARK: Sites

  private func siteNumber(_ parts: [UInt32]) -> UInt32 {
    if let known = decisionCache.numbers[parts] { return known }
    let number = UInt32(decisionCache.sites.count)
    decisionCache.sites.append(joined(parts.map(sitePart)))
    decisionCache.numbers[parts] = number
    return number
  }

  /// Joins similar sites into one site, whose option k combines option k of every given site.
  private func joined(_ sites: [DecisionSite]) -> DecisionSite {
    var result = sites[0]
    if sites.count == 1 { return result }
    switch result.options {
    case .branches(let branches):
      result.options = .branches(
        branches.indices.map { index in
          let configurations = sites.compactMap { site -> Configuration? in
            guard case .branches(let branches) = site.options else { return nil }
            return branches[index].configuration
          }
          return .init(option: index, configuration: joined(configurations))
        })
    case .choice(let state, _):
      // All sites have the same names in the same order, and therefore equal tries, so the first
      // trie represents all of them.
      let configurations = sites.compactMap { site -> Configuration? in
        guard case .choice(_, let configuration) = site.options else { return nil }
        return configuration
      }
      result.options = .choice(state: state, configuration: joined(configurations))
    case .settled: break
    }
    return result
  }

  /// Returns the configuration that combines all the ways in which several configurations can
  /// continue.
  private func joined(_ configurations: [Configuration]) -> Configuration {
    for configuration in configurations {
      let header = headers[Int(configuration)]
      draft.threads += threads(of: configuration)
      draft.sites += sites[Int(header.firstSite)...].prefix(Int(header.siteCount))
      if header.isComplete { draft.isComplete = true }
    }
    return intern()
  }

  /// Returns the site of one part of the grammar.
  private func sitePart(_ number: UInt32) -> DecisionSite {
    if let known = decisionCache.parts[number] { return known }
    let site = makeSite(number)
    decisionCache.parts[number] = site
    return site
  }

  private func makeSite(_ number: UInt32) -> DecisionSite {
    let it = continuations[number]
    func branches(_ options: [UInt32]) -> DecisionOptions {
      .branches(
        options.enumerated().map { index, option in
          expand(option)
          return DecisionOptions.Branch(option: index, configuration: intern())
        })
    }
    switch it.kind {
    case .array:
      let options = arrayOptions(it)
      return DecisionSite(
        kind: .array, names: .elementOrEnd,
        options: branches([options.element, options.end].compactMap { $0 }),
        reading: .elements(isFirst: it.count == 0))
    case .object:
      guard let options = optionalOptions(it),
        case .object(let object) = grammar.nodes[Int(it.argument)]
      else { break }
      return DecisionSite(
        kind: .optional, names: .presentOrAbsent,
        member: object.members[Int(it.count >> 1)].name,
        options: branches([options.present, options.absent]))
    case .node:
      switch grammar.nodes[Int(it.argument)] {
      case .union(let union):
        return DecisionSite(
          kind: union.kind, names: union.names,
          options: branches(
            union.options.map { continuation(.node, $0, depth: it.depth, next: it.next) }))
      case .choice(let set):
        let choices = grammar.choiceSets[set]
        add(choices.start, next: it.next)
        return DecisionSite(
          kind: .choice, names: .branches(choices.names),
          options: .choice(state: choices.start, configuration: intern()), reading: .choices(set))
      default: break
      }
    default: break
    }
    return DecisionSite(kind: .branch, names: .branches([]), options: .branches([]))
  }
}
