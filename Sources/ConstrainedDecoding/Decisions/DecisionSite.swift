import Tokenization

/// A *site*: a place at which the schema leaves a choice, with its options as configurations.
///
/// The configuration of an option is the one that the automaton would have if only that option
/// existed. At one place, several parts of the grammar may leave a choice, for example before a
/// union's discriminator. If the sites of these parts are similar (the same kind, option names and
/// property), they form one decision. Option k of the decision combines option k of every site:
///
/// ```
/// two branches of a union, a and b, begin with "tags"; after {"tags":[
///
///   element   { string, array in a …    string, array in b … }
///   end       { ], object a …           ], object b … }
/// ```
struct DecisionSite {
  /// A method for telling from the text which option was taken.
  enum Reading: Hashable {
    /// Compares the configurations that are left for each option; see `DecisionFront`.
    case configurations
    /// Looks up the case of a string enum by the state of the enum's trie; carries the index of the
    /// enum in `choiceSets`.
    case choices(Int)
    /// Looks at the first byte that is not white space, which distinguishes another element from
    /// the array's end.
    case elements(isFirst: Bool)
  }

  var kind: DecisionKind
  /// The options in schema order.
  var names: OptionNames
  /// The name of the property, if the site is an optional member.
  var member: String?
  /// The options before their first byte, all of them open.
  var options: DecisionOptions
  var reading = Reading.configurations
}

/// The options of a decision that are still open after some bytes.
enum DecisionOptions: Hashable {
  /// Each open option's number and its configuration.
  case branches([Branch])
  /// For a string enum: the state of its trie, and the configuration that all its options share.
  case choice(state: UInt32, configuration: TokenAutomaton.Configuration)
  /// The only remaining case of a string enum.
  case settled(Branch)

  struct Branch: Hashable {
    var option: Int
    var configuration: TokenAutomaton.Configuration
  }
}

/// A decision after some bytes: the options that are still open, and the configuration of the whole
/// automaton.
///
/// The text decides for an option when there is no other way left to continue. It is not enough
/// that only one option accepts the bytes, because the text might also continue in a way that
/// belongs to no option of this decision:
///
/// ```
/// after {     optional members a, b and c; the decision on b, which is made if there is no a
///
///   bytes   b present   b absent      the whole             result
///           "b":        "c":  }       "a":  "b":  "c":  }   open
///   "       b":         c":           a":   b":   c":       open
///   "b      ":          –             ":                    decided: present
///   "a      –           –             ":                    left: not this decision
///   }       –           complete      complete              decided: absent
/// ```
///
/// For example, a decision inside one branch of a union stays open while the text also fits another
/// branch without a similar decision, even if the text fits only one option of the decision. If the
/// decision is still open at the end of a token that was neither sampled nor followed, that token's
/// mass counts as `Decision.unresolved`. Arrays don't need this care: in every array of every
/// branch, `]` is the end, and any other byte except white space begins an element (or is the comma
/// before it).
struct DecisionFront: Hashable {
  var options: DecisionOptions
  var whole: TokenAutomaton.Configuration

  /// The front's part of the key under which the automaton caches a classification.
  var key: [UInt32] {
    switch options {
    case .branches(let branches):
      [whole, 0] + branches.flatMap { [UInt32($0.option), $0.configuration] }
    case .choice(let state, let configuration): [whole, 1, state, configuration]
    case .settled(let branch): [whole, 2, UInt32(branch.option), branch.configuration]
    }
  }
}

/// The text's progress toward or through a decision.
enum DecisionProgress {
  /// The text doesn't lead to this decision, or fits none of its options.
  case left
  /// The text has not reached the decision yet.
  case approaching(DecisionApproach)
  case open(DecisionFront)
  /// Only one option is left; carries the option's index and the configuration after the text.
  ///
  /// If several options are left, but all of them allow the same texts, the first one counts as
  /// decided.
  case decided(option: Int, TokenAutomaton.Configuration)

  var isApproaching: Bool {
    if case .approaching = self { true } else { false }
  }

  /// The part of the automaton's cache key that depends on the progress.
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

/// A place before a decision, and the *missing* bytes: those that must still come before the
/// decision.
///
/// The missing bytes don't include optional white space. So however the text is laid out and split
/// into tokens, the same bytes lead to the same decision.
struct DecisionApproach {
  var missing: ArraySlice<UInt8>
  var configuration: TokenAutomaton.Configuration
}

extension TokenAutomaton {
  /// Returns whether a byte at a configuration is optional white space.
  func isLayout(_ byte: UInt8, at configuration: Configuration) -> Bool {
    guard isVarying, ByteSet.whitespace.contains(byte) else { return false }
    let header = headers[Int(configuration)]
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount)
    where isSpace(threads[index]) { return true }
    return false
  }

  /// Returns the progress after one more byte.
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
    // White space before an option doesn't tell the options apart, so the decision ignores it.
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

  /// Returns the option that is taken if the text ends here: the first option that is complete.
  func optionAtEnd(of front: DecisionFront) -> Int? {
    switch front.options {
    case .branches(let branches): branches.first { isComplete($0.configuration) }?.option
    case .settled(let branch): isComplete(branch.configuration) ? branch.option : nil
    case .choice: nil
    }
  }
}
