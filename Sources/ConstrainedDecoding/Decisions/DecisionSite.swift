import Tokenization

/// A place in the grammar where the schema leaves a choice, with its options as configurations.
///
/// Each option is represented by the configuration that the automaton would have if only that
/// option existed. Several parts of the grammar may be possible at once, for example before a
/// union's discriminator. If the sites of these parts are similar (the same kind, option names and
/// property), they form one decision. Option k of the decision combines options k of all the sites:
///
/// ```
/// two branches of a union, a and b, begin with "tags"; after {"tags":[
///
///   element   { string, array in a …    string, array in b … }
///   end       { ], object a …           ], object b … }
/// ```
struct DecisionSite {
  /// The method that determines from the text which option was taken.
  enum Reading: Hashable {
    /// Reads the option from the configurations that remain for each option; see `DecisionFront`.
    case configurations
    /// Reads the case of a string enum from the state of its trie; carries the trie's index in
    /// `choiceSets`.
    case choices(Int)
    /// Tells another element from the array's end by the first byte that is not white space.
    case elements(isFirst: Bool)
  }

  var kind: DecisionKind
  /// The options in schema order.
  var names: [String]
  /// For optional members, the name of the property.
  var member: String?
  /// The open options, before the first byte.
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

/// A decision after some bytes: its open options, along with the configuration of the whole
/// automaton.
///
/// The text decides an option when no other way to continue is left. It is not enough that only one
/// option accepts the bytes, because the text may also continue in a way that belongs to no option
/// of this decision:
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
/// decision is still open at the end of a token that was neither sampled nor followed, the mass of
/// that token counts as `Decision.unresolved`. Arrays need no such care: in every array of every
/// branch, `]` is the end, and anything else except white space is an element (or its comma).
struct DecisionFront: Hashable {
  var options: DecisionOptions
  var whole: TokenAutomaton.Configuration

  /// A key for remembering classifications.
  var key: [UInt32] {
    switch options {
    case .branches(let branches):
      [whole, 0] + branches.flatMap { [UInt32($0.option), $0.configuration] }
    case .choice(let state, let configuration): [whole, 1, state, configuration]
    case .settled(let branch): [whole, 2, UInt32(branch.option), branch.configuration]
    }
  }
}

/// The text's progress towards a decision, or inside it.
enum DecisionProgress {
  /// The text doesn't lead to this decision, or fits none of its options.
  case left
  /// Before the decision.
  case approaching(DecisionApproach)
  case open(DecisionFront)
  /// Only one option is left; carries it and the configuration after the text.
  ///
  /// If no text can tell several options apart, the first of them counts as decided.
  case decided(option: Int, TokenAutomaton.Configuration)

  var isApproaching: Bool {
    if case .approaching = self { true } else { false }
  }

  /// A key for remembering classifications.
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

/// A place before a decision, and the bytes that must still come in between.
///
/// The bytes don't include white space that varies. So all layouts and all segmentations of the
/// same bytes lead to the same decision.
struct DecisionApproach {
  var missing: ArraySlice<UInt8>
  var configuration: TokenAutomaton.Configuration
}

extension TokenAutomaton {
  /// Returns whether a byte is white space that the model may choose and that has no meaning.
  func isLayout(_ byte: UInt8, at configuration: Configuration) -> Bool {
    guard isVarying, ByteSet.whitespace.contains(byte) else { return false }
    let header = headers[Int(configuration)]
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount)
    where isSpace(threads[index]) { return true }
    return false
  }

  /// Returns the progress after a byte.
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
    // White space before an option belongs to no option, so the decision ignores it.
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

  /// Returns the option that is taken if the text ends here: the first one that is complete.
  func optionAtEnd(of front: DecisionFront) -> Int? {
    switch front.options {
    case .branches(let branches): branches.first { isComplete($0.configuration) }?.option
    case .settled(let branch): isComplete(branch.configuration) ? branch.option : nil
    case .choice: nil
    }
  }
}
