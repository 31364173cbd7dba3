import GuidedGeneration

/// A schema in the form that the automaton needs: numbered nodes, and byte states that spell keys,
/// constants, enums, numbers and patterns.
///
/// ```
/// DraftCardSet                          nodes
/// cards: array 1...3 of reference  ──►  0 alias ► 3     the root
///                                       1 alias ► 6     the reference, set when Card is compiled
///                                       2 array  1...3 of 1
///                                       3 object [ "cards": 2 ]
///                                       4 string
///                                       5 string
///                                       6 object [ "question": 4, "answer": 5 ]
/// ```
package struct Grammar: Sendable {
  /// A description of one part of a value.
  enum Node: Sendable {
    /// A value that byte states spell; carries the first state.
    case states(UInt32)
    /// A string from a set of choices; carries the index of the set in `choiceSets`.
    case choice(Int)
    /// A free string; carries the index of its bounds in `lengths`.
    case string(Int)
    case object(Object)
    case array(element: UInt32, minimum: UInt32, maximum: UInt32?)
    /// An array with a prefix: its first elements have separate nodes.
    case tuple(Tuple)
    /// An array of distinct elements, taken from a short list of values.
    case set(ElementSet)
    /// An object with keys that the schema doesn't name, or with bounds on the number of members.
    case openObject(OpenObject)
    case union(Union)
    /// Another node: the target of a reference.
    case alias(UInt32)
    /// Any JSON value up to a nesting depth.
    case any(depth: UInt32)
  }

  struct Object: Sendable {
    var members: [Member]
  }

  struct Member: Sendable {
    var name: String
    var isOptional: Bool
    var node: UInt32
    /// The first state of the chain that spells the key, the colon and any fixed space after the
    /// colon; if white space is optional, the chain spells only the key.
    var key: UInt32
    /// The first state of the chain that spells the comma and then continues like `key`; the same
    /// as `key` if the white space between comma and key is optional or depends on the nesting
    /// depth.
    var commaKey: UInt32
  }

  /// The first elements of an array (its prefix), each with a separate node, and the elements after
  /// them.
  struct Tuple: Sendable {
    var prefix: [UInt32]
    /// The node of the elements after the prefix; nil if there are none.
    var element: UInt32?
    var minimum: UInt32
    var maximum: UInt32?
  }

  /// The elements of an array that may contain each of a few values at most once.
  struct ElementSet: Sendable {
    /// The node of each value; there are at most 32.
    var options: [UInt32]
    var minimum: UInt32
    var maximum: UInt32
  }

  /// An object with declared members in order, then members with other keys, and with bounds on the
  /// total number of members.
  struct OpenObject: Sendable {
    var members: [Member]
    /// For each index in `members`, the number of required members at this index or after it.
    var requiredFrom: [UInt32]
    var extras: [Extra]
    /// The number of unnamed keys after which the automaton stops counting the object's unnamed
    /// keys, because it has used up all extras whose keys have a count.
    var countedKeys: Int
    var minimum: UInt32
    var maximum: UInt32?

    /// The number of members that the lower bound requires in addition to the required members.
    var missingOptionalMembers: Int {
      max(0, Int(minimum) - Int(requiredFrom.first ?? 0))
    }
  }

  /// The keys that the schema doesn't name, and the node of their values.
  struct Extra: Sendable {
    /// The first state of the key with its quotes; nil if any string may be the key.
    var key: UInt32?
    var node: UInt32
    /// The number of possible keys, or nil if there is no need to count them, because no object can
    /// have them all (`UsedKeys.limit`).
    var keyCount: Int?
  }

  struct Union: Sendable {
    var kind: DecisionKind
    var options: [UInt32]
    var names: OptionNames
  }

  /// The bounds on the number of characters in a string.
  struct Length: Sendable, Hashable {
    var minimum: UInt32
    var maximum: UInt32?
  }

  /// The cases of a string enum, and the cases that are still possible at each state of the enum's
  /// trie.
  ///
  /// ```
  /// names  "yes", "no", "not"     order  1 2 0, that is "no", "not", "yes"
  ///
  /// after "      range 0..<3      "no", "not", "yes"
  /// after "n     range 0..<2      "no", "not"
  /// after "not   range 1..<2      "not"
  /// ```
  struct ChoiceSet: Sendable {
    /// The trie's first state, which is before the opening quote.
    var start: UInt32
    /// For each state from `start` on, the range of `order` with the cases whose spellings begin
    /// with the text so far.
    var ranges: [Range<Int32>]
    /// The indices of the cases in `names`, sorted by spelling.
    var order: [Int32]
    /// The cases in schema order.
    var names: [String]
  }

  /// Byte states that every grammar has.
  struct Punctuation: Sendable {
    var openObject: UInt32 = 0
    var closeObject: UInt32 = 0
    var openArray: UInt32 = 0
    var closeArray: UInt32 = 0
    /// The comma; in single-space mode, the comma and its space.
    var comma: UInt32 = 0
    /// The colon; in single-space and pretty mode, the colon and its space.
    var colon: UInt32 = 0
    /// The first state of a run of optional white space.
    var space: UInt32 = 0
    /// The number of states of such a run: 0 if there is no optional white space, and 1 if it has
    /// no bound.
    var spaceCount: UInt32 = 0
    /// The first states of booleans, null and numbers, for values that the schema leaves open.
    var anyScalars: [UInt32] = []
  }

  /// The options with which the grammar was created.
  package let options: GrammarOptions
  var nodes: [Node] = []
  /// The minimum nesting depth of each node's values: 0 for a string, 1 for `[]`.
  var heights: [UInt32] = []
  var root: UInt32 = 0
  /// Whether some object may have keys that the schema doesn't name.
  var hasFreeKeys = false
  var states = ByteStates()
  /// The bounds of free strings.
  ///
  /// The first entry stands for strings without bounds, such as those in values that the schema
  /// leaves open.
  var lengths: [Length] = [Length(minimum: 0, maximum: nil)]
  var choiceSets: [ChoiceSet] = []
  var punctuation = Punctuation()
  let strings: StringAutomaton

  init(options: GrammarOptions) {
    self.options = options
    strings = StringAutomaton(dialect: options.dialect)
  }

  /// Creates a grammar from a schema.
  ///
  /// - Throws: `GrammarError` if a type has no finite value, a bound can't be met, a pattern is not
  ///   supported, or a limit is exceeded.
  package init(
    schema: GenerationSchema, options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    var compiler = GrammarCompiler(schema: schema, options: options)
    self = try compiler.compile()
  }
}

/// The kind of a decision, that is, of a point where the schema leaves a choice.
package enum DecisionKind: String, Sendable, Hashable {
  /// Another element or the end of an array.
  case array
  /// One of a union's options.
  case branch
  /// One of the cases of a string enum.
  case choice
  /// An optional property: present or absent.
  case optional
}
