import Tokenization

/// A place in the grammar where the schema leaves a choice, with its options as configurations.
///
/// An option is represented by the automaton as it would be if only that option existed. Where
/// several parts of the grammar are possible at once, as before a union's discriminator, their like
/// sites (same kind and option names) are one decision, and its option k is all their options k:
///
/// ```
/// two cases of a union begin with "tags"; after {"tags":
///
///   at [    element   { string, array in a …    string, array in b … }
///           end       { ], object a …           ], object b … }
/// ```
struct DecisionSite {
  /// How the text tells which option it takes.
  enum Reading: Hashable {
    /// By what is left of each option, see `DecisionFront`.
    case configurations
    /// A string enum: by the number of its choices' trie.
    case choices(Int)
    /// Another element or the end of an array: by the first byte that is no white space.
    case elements(isFirst: Bool)
  }

  var kind: DecisionKind
  /// The options in the schema's order.
  var names: [String]
  /// The property's name, for optional members.
  var member: String?
  /// The options that are open, before the first byte.
  var options: DecisionOptions
  var reading = Reading.configurations
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
/// To be accepted by an option alone is not enough: other ways to go on may be alive that belong to
/// no option of this decision. An option is decided when what is left of it is all that is left:
///
/// ```
/// after {     optional members a, b and c; the decision on b (taken where there is no a)
///
///   bytes   b present   b absent      the whole             so
///           "b":        "c":  }       "a":  "b":  "c":  }   open
///   "       b":         c":           a":   b":   c":       open
///   "b      ":          –             ":                    decided: present
///   "a      –           –             ":                    left: not this decision
///   }       –           complete      complete              decided: absent
/// ```
///
/// So a decision inside one branch of a union stays open for as long as the text fits another
/// branch that has no like decision there, even where its own options differ by then:
/// `Decision.unresolved` says how much. Arrays need no such care: in any array of any branch `]` is
/// the end, and whatever else is no white space is an element (its comma, behind another one).
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

/// How far a text has come on the way to a decision, or into it.
enum DecisionProgress {
  /// The text is not within the decision's place any more.
  case left
  /// Before the place.
  case approaching(DecisionApproach)
  case open(DecisionFront)
  /// Only one option is left, at a configuration; or several that can never be told apart, which
  /// count as the first of them.
  case decided(option: Int, TokenAutomaton.Configuration)

  var isApproaching: Bool {
    if case .approaching = self { true } else { false }
  }

  /// A key under which classifications are remembered.
  var key: [UInt32] {
    switch self {
    case .left: [0]
    case .approaching(let approach):
      [1, approach.configuration] + approach.missing.map { UInt32($0) }
    case .open(let front): [2] + front.key
    case .decided(let option, let configuration): [3, UInt32(option), configuration]
    }
  }
}

/// A place before a decision's: the bytes that must come up to there.
///
/// White space that varies is not among them. So all layouts and all segmentations of the same
/// bytes are ways to the same decision.
struct DecisionApproach {
  var missing: ArraySlice<UInt8>
  var configuration: TokenAutomaton.Configuration
}

extension TokenAutomaton {
  /// Whether a byte is white space that the model may choose, at a place where it means nothing.
  func isLayout(_ byte: UInt8, at configuration: Configuration) -> Bool {
    guard isVarying, ByteSet.whitespace.contains(byte) else { return false }
    let header = headers[Int(configuration)]
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount)
    where isSpace(threads[index]) { return true }
    return false
  }

  /// The decision after a byte.
  func advance(
    _ state: DecisionProgress, _ byte: UInt8, _ site: DecisionSite
  ) -> DecisionProgress {
    switch state {
    case .left: return .left
    case .approaching(let approach): return advance(approach, byte, site)
    case .open(let front): return advance(front, byte, site)
    case .decided(let option, let configuration):
      let next = successor(configuration, byte)
      return next == Self.dead ? .left : .decided(option: option, next)
    }
  }

  private func advance(
    _ approach: DecisionApproach, _ byte: UInt8, _ site: DecisionSite
  ) -> DecisionProgress {
    let next = successor(approach.configuration, byte)
    if next == Self.dead { return .left }
    if isLayout(byte, at: approach.configuration) {
      return .approaching(DecisionApproach(missing: approach.missing, configuration: next))
    }
    guard approach.missing.first == byte else { return .left }
    let missing = approach.missing.dropFirst()
    return missing.isEmpty
      ? .open(DecisionFront(options: site.options, whole: next))
      : .approaching(DecisionApproach(missing: missing, configuration: next))
  }

  private func advance(
    _ front: DecisionFront, _ byte: UInt8, _ site: DecisionSite
  ) -> DecisionProgress {
    let whole = successor(front.whole, byte)
    if whole == Self.dead { return .left }
    // White space before an option belongs to none: the decision looks through it.
    if isLayout(byte, at: front.whole), front.options == site.options {
      return .open(DecisionFront(options: front.options, whole: whole))
    }
    let reading = site.reading
    var isInArray = false
    if case .elements(let isFirst) = reading {
      guard ByteSet.whitespace.contains(byte) else {
        let isEnd = byte == UInt8(ascii: "]")
        let isElement = isFirst || byte == UInt8(ascii: ",")
        return isEnd || isElement ? .decided(option: isEnd ? 1 : 0, whole) : .left
      }
      isInArray = true
    }
    switch front.options {
    case .branches(let branches):
      var left: [DecisionOptions.Branch] = []
      for branch in branches {
        let next = successor(branch.configuration, byte)
        if next != Self.dead {
          left.append(DecisionOptions.Branch(option: branch.option, configuration: next))
        }
      }
      if left.isEmpty, !isInArray { return .left }
      if let first = left.first, left.allSatisfy({ $0.configuration == whole }) {
        return .decided(option: first.option, whole)
      }
      return .open(DecisionFront(options: .branches(left), whole: whole))
    case .choice(let state, let configuration):
      let next = successor(configuration, byte)
      guard next != Self.dead, case .choices(let set) = reading,
        let following = grammar.states.step(state, byte)
      else { return .left }
      let choices = grammar.choiceSets[set]
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

  /// The option that a decision falls to where the text ends here: the first one that is complete.
  func optionAtEnd(of front: DecisionFront) -> Int? {
    switch front.options {
    case .branches(let branches): branches.first { isComplete($0.configuration) }?.option
    case .settled(let branch): isComplete(branch.configuration) ? branch.option : nil
    case .choice: nil
    }
  }
}
