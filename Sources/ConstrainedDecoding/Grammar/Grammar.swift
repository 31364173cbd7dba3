import GuidedGeneration

/// A schema as the automaton needs it: numbered nodes, and byte states for everything that is
/// spelled in a fixed way.
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
  /// One part of a value.
  enum Node: Sendable {
    /// A value spelled by the byte states that begin at `state`.
    case states(UInt32)
    /// One of the strings of `choiceSets`.
    case choice(Int)
    /// A free string with the bounds of `lengths`.
    case string(Int)
    case object(Object)
    case array(element: UInt32, minimum: UInt32, maximum: UInt32?)
    /// An array whose first elements have nodes of their own.
    case tuple(Tuple)
    /// An array in which none of a few values comes twice.
    case set(ElementSet)
    /// An object with keys that the schema doesn't name, or with bounds on their number.
    case openObject(OpenObject)
    case union(Union)
    /// Another node: what a reference stands for.
    case alias(UInt32)
    /// Any JSON value, nested at most so deep.
    case any(depth: UInt32)
  }

  struct Object: Sendable {
    var members: [Member]
  }

  struct Member: Sendable {
    var name: String
    var isOptional: Bool
    var node: UInt32
    /// Spells the key up to its value (without the colon where white space varies).
    var key: UInt32
    /// The same with the comma before it, where no varying white space stands in between.
    var commaKey: UInt32
  }

  /// The first elements, and those behind them.
  struct Tuple: Sendable {
    var prefix: [UInt32]
    /// The node of the elements behind the prefix; nil if there are none.
    var element: UInt32?
    var minimum: UInt32
    var maximum: UInt32?
  }

  /// The values that an array may have, each once at most.
  struct ElementSet: Sendable {
    /// The node of each value; at most 32.
    var options: [UInt32]
    var minimum: UInt32
    var maximum: UInt32
  }

  /// The declared members in their order, then any number of others.
  struct OpenObject: Sendable {
    var members: [Member]
    /// How many members from each position on are required.
    var requiredFrom: [UInt32]
    var extras: [Extra]
    var minimum: UInt32
    var maximum: UInt32?
  }

  /// Keys that the schema doesn't name, and the node of their values.
  struct Extra: Sendable {
    /// Spells the key with its quotes; nil for any string.
    var key: UInt32?
    var node: UInt32
  }

  struct Union: Sendable {
    var kind: DecisionKind
    var options: [UInt32]
    var names: [String]
  }

  /// Bounds on the number of characters of a string.
  struct Length: Sendable, Hashable {
    var minimum: UInt32
    var maximum: UInt32?
  }

  /// The options of a string enum, and which of them are left at each state of their trie.
  ///
  /// ```
  /// names  yes, no, not       order  1 2 0, that is no, not, yes
  ///
  /// after "      range 0..<3      all of them
  /// after "n     range 0..<2      no and not
  /// after "not   range 1..<2      not alone
  /// ```
  struct ChoiceSet: Sendable {
    /// The trie's first state: the place before the opening quote.
    var start: UInt32
    /// For each state from `start` on, the range of `order` that begins with what was spelled.
    var ranges: [Range<Int32>]
    /// The options' positions in the schema, sorted by spelling.
    var order: [Int32]
    /// The options in the schema's order.
    var names: [String]
  }

  /// Byte states that every grammar has.
  struct Punctuation: Sendable {
    var openObject: UInt32 = 0
    var closeObject: UInt32 = 0
    var openArray: UInt32 = 0
    var closeArray: UInt32 = 0
    /// The comma, in single-space mode with its space.
    var comma: UInt32 = 0
    /// The colon, with a space where the mode has one.
    var colon: UInt32 = 0
    /// A run of white space, the empty one included: its first state, and the number of its states
    /// (none where white space does not vary, one where it has no bound).
    var space: UInt32 = 0
    var spaceCount: UInt32 = 0
    /// Scalars of a value that the schema leaves open.
    var anyScalars: [UInt32] = []
  }

  /// The options with which the grammar was made.
  package let options: GrammarOptions
  var nodes: [Node] = []
  /// How deep the flattest value of each node is nested: 0 for a string, 1 for `[]`.
  var heights: [UInt32] = []
  var root: UInt32 = 0
  /// Whether some object has keys that the schema doesn't name.
  var hasFreeKeys = false
  var states = ByteStates()
  /// The bounds of free strings; the first ones are none, which the strings of any value have.
  var lengths: [Length] = [Length(minimum: 0, maximum: nil)]
  var choiceSets: [ChoiceSet] = []
  var punctuation = Punctuation()
  let strings: StringAutomaton

  init(options: GrammarOptions) {
    self.options = options
    strings = StringAutomaton(dialect: options.dialect)
  }

  /// Compiles a schema.
  ///
  /// - Throws: `GrammarError` where a type cannot be finished, a bound cannot be met, a pattern is
  ///   not supported, or a limit is exceeded.
  package init(
    schema: GenerationSchema, options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    var compiler = GrammarCompiler(schema: schema, options: options)
    self = try compiler.compile()
  }
}

/// What is decided at a point where the schema leaves a choice.
package enum DecisionKind: String, Sendable, Hashable {
  /// Another element, or the end of an array.
  case array
  /// Which choice of a union.
  case branch
  /// Which string of a string enum.
  case choice
  /// An optional property: present or absent.
  case optional
}
