import Tokenization

/// A place in the grammar where the schema leaves a choice, with its options as configurations.
///
/// An option is represented by the automaton as it would be if only that option existed. Whether
/// a token belongs to an option is then a plain question: does that automaton accept it?
///
/// ```
/// after {"cards":      at [          element   { ({, object …) }
///                                    end       { (], object …) }
///   token [{   accepted by element only         decides "element"
///   token []   accepted by end only             decides "end"
///   token [    accepted by both                 leaves it open
/// ```
struct DecisionSite {
  var kind: DecisionKind
  /// The options in the schema's order.
  var names: [String]
  /// The property's name, for optional members.
  var member: String?
  /// The options that are open, before the first byte.
  var options: DecisionOptions
  /// The number of the string enum's choices, for `choice`.
  var choiceSet: Int?
}

/// The options of a decision that are still open after some bytes.
enum DecisionOptions: Hashable {
  /// Each open option's number and its configuration.
  case branches([Branch])
  /// A string enum: the state of its trie, and the configuration. Thousands of options share it.
  case choice(state: UInt32, configuration: TokenAutomaton.Configuration)
  /// The one string that is left.
  case settled(Branch)

  struct Branch: Hashable {
    var option: Int
    var configuration: TokenAutomaton.Configuration
  }
}

/// A decision after some bytes: its open options beside the whole automaton.
///
/// A decision may be one of several ways to go on: with the optional members a, b and c, the
/// decision on c is only taken where there is no a and no b, and after `{"` all three are still
/// possible. So an option is decided only when its configuration is all that is left of the
/// whole one.
struct DecisionFront: Hashable {
  var options: DecisionOptions
  var whole: TokenAutomaton.Configuration

  /// A key under which classifications are remembered.
  var key: [UInt32] {
    switch options {
    case .branches(let branches):
      [whole, 0] + branches.flatMap { [UInt32($0.option), $0.configuration] }
    case .choice(let state, let configuration): [whole, 1, state, configuration]
    case .settled(let branch): [whole, 2, UInt32(branch.option), branch.configuration]
    }
  }
}

/// What a byte does to a decision.
enum DecisionProgress {
  /// The text is not within the decision's place any more.
  case left
  case open(DecisionFront)
  /// Only one option is left, at a configuration; or several that can never be told apart, which
  /// count as the first of them.
  case decided(option: Int, TokenAutomaton.Configuration)
}

extension TokenAutomaton {
  /// The site of a continuation that `expand` noted as one.
  func site(_ number: UInt32) -> DecisionSite {
    if let known = decisionSites[number] { return known }
    let site = makeSite(number)
    decisionSites[number] = site
    return site
  }

  private func makeSite(_ number: UInt32) -> DecisionSite {
    let it = continuations[Int(number)]
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
        kind: .array, names: ["element", "end"],
        options: branches([options.element, options.end].compactMap { $0 }))
    case .object:
      guard let options = optionalOptions(it),
        case .object(let object) = grammar.nodes[Int(it.argument)]
      else { break }
      return DecisionSite(
        kind: .optional, names: ["present", "absent"],
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
          kind: .choice, names: choices.names,
          options: .choice(state: choices.start, configuration: intern()), choiceSet: set)
      default: break
      }
    default: break
    }
    return DecisionSite(kind: .branch, names: [], options: .branches([]))
  }

  /// The sites at a configuration, those inside the options of others included, outer ones first.
  func sites(at configuration: Configuration) -> [UInt32] {
    let header = headers[Int(configuration)]
    if header.siteCount == 0 { return [] }
    if let known = siteLists[configuration] { return known }
    var result: [UInt32] = []
    var open = [configuration]
    while let next = open.popLast(), result.count < Self.mostSites {
      let header = headers[Int(next)]
      for index in Int(header.firstSite)..<Int(header.firstSite + header.siteCount) {
        let number = sites[index]
        if result.contains(number) { continue }
        result.append(number)
        if case .branches(let branches) = site(number).options {
          open += branches.reversed().map(\.configuration)
        }
      }
    }
    siteLists[configuration] = result
    return result
  }

  /// The most decisions that are followed at one place (a chain of optional members is one each).
  private static var mostSites: Int { 256 }

  /// The decision after a byte.
  func advance(_ front: DecisionFront, _ byte: UInt8, choiceSet: Int?) -> DecisionProgress {
    let whole = successor(front.whole, byte)
    switch front.options {
    case .branches(let branches):
      var left: [DecisionOptions.Branch] = []
      for branch in branches {
        let next = successor(branch.configuration, byte)
        if next != Self.dead {
          left.append(DecisionOptions.Branch(option: branch.option, configuration: next))
        }
      }
      guard let first = left.first else { return .left }
      if left.allSatisfy({ $0.configuration == whole }) {
        return .decided(option: first.option, whole)
      }
      return .open(DecisionFront(options: .branches(left), whole: whole))
    case .choice(let state, let configuration):
      let next = successor(configuration, byte)
      guard next != Self.dead, let choiceSet, let following = grammar.states.step(state, byte)
      else { return .left }
      let choices = grammar.choiceSets[choiceSet]
      let range = choices.ranges[Int(following - choices.start)]
      guard range.count == 1 else {
        let options = DecisionOptions.choice(state: following, configuration: next)
        return .open(DecisionFront(options: options, whole: whole))
      }
      return settle(Int(choices.order[Int(range.lowerBound)]), next, whole: whole)
    case .settled(let branch):
      let next = successor(branch.configuration, byte)
      return next == Self.dead ? .left : settle(branch.option, next, whole: whole)
    }
  }

  private func settle(
    _ option: Int, _ configuration: Configuration, whole: Configuration
  ) -> DecisionProgress {
    if configuration == whole { return .decided(option: option, whole) }
    let branch = DecisionOptions.Branch(option: option, configuration: configuration)
    return .open(DecisionFront(options: .settled(branch), whole: whole))
  }
}
