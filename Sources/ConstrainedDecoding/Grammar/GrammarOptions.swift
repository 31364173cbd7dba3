import Patterns
import StructuredText

/// The white space that may stand between the parts of a value.
package enum WhitespaceMode: String, Sendable, Hashable, CaseIterable {
  /// None: `{"a":[1,2]}`.
  case compact
  /// Exactly one space after `:` and `,`: `{"a": [1, 2]}`.
  case singleSpace
  /// One member or element a line, indented by two spaces; empty arrays and objects stay closed.
  case pretty
  /// Spaces, tabs and line ends where JSON allows them, except before and after the whole value, as
  /// the model chooses; a run of them has a bound (`WhitespaceBound`).
  case any
  /// The same without a bound. A model can run away in it; it exists to be compared with other
  /// engines, and to measure what the other modes forbid.
  case flexible

  /// Whether white space varies, so that it is a part of the grammar's places of its own.
  var isVarying: Bool { self == .any || self == .flexible }
}

/// The spellings of a value that are allowed where JSON has several.
///
/// Beside what can be chosen here, one spelling is fixed: members come in the schema's order; keys,
/// enums and strings with a pattern have no more escapes than they need; integers and numbers with
/// a bound have no exponent; a value that the schema leaves open ("any") is at most
/// `GrammarLimits.anyDepth` deep. What is left: the digits of `\u001F` in either case, a number's
/// zeros at its end (`1.50`), and the exponents of a number without bounds (`1e3`).
package struct JSONDialect: Sendable, Hashable {
  /// Which `\uXXXX` escapes may be written in free strings.
  package enum UnicodeEscapes: String, Sendable, Hashable {
    /// None.
    case none
    /// Only those of control characters that have no short form (`\n` has one).
    case controlsOnly
    /// Any character; surrogates only in pairs.
    case any
  }

  /// Whether the character U+007F may stand in a string as it is.
  package var allowsRawDelete: Bool
  /// Whether `\/` may be written for `/`.
  package var allowsEscapedSlash: Bool
  /// Which `\uXXXX` escapes may be written.
  package var unicodeEscapes: UnicodeEscapes
  /// Whether zero may be written with a minus sign, where negative numbers are allowed too.
  package var allowsNegativeZero: Bool

  /// Creates a dialect; the defaults leave one spelling for nearly every value.
  package init(
    allowsRawDelete: Bool = false, allowsEscapedSlash: Bool = false,
    unicodeEscapes: UnicodeEscapes = .controlsOnly, allowsNegativeZero: Bool = false
  ) {
    self.allowsRawDelete = allowsRawDelete
    self.allowsEscapedSlash = allowsEscapedSlash
    self.unicodeEscapes = unicodeEscapes
    self.allowsNegativeZero = allowsNegativeZero
  }

  /// The spellings that llguidance 1.9.1 allows by default.
  package static let llguidance = JSONDialect(allowsNegativeZero: true)
}

/// What a schema may cost.
///
/// Beyond a limit compilation fails with `GrammarError.limit`. `threads` and `automatonBytes` can
/// be exceeded only later, and end an answer with `DecodingError.limit`.
package struct GrammarLimits: Sendable, Hashable {
  /// The deepest nesting of the schema itself.
  package var depth = 64
  /// The most nodes of the schema.
  package var nodes = 200_000
  /// The most options of one union.
  package var unionChoices = 256
  /// The longest chain of references and unions with nothing in between.
  package var chain = 256
  /// The most optional members of one object.
  package var optionalMembers = 1000
  /// The most byte states of all literals, numbers and patterns together.
  package var byteStates = 2_000_000
  /// The most states of one pattern.
  package var patternStates = 50_000
  /// The most steps that all patterns together take to compile.
  package var patternSteps = PatternBudget.defaultSteps
  /// The largest bound on a number of elements or characters.
  package var count = 10_000_000
  /// The largest bound on a number of properties.
  package var properties = 10_000
  /// The most digits of a numeric bound.
  package var digits = 400
  /// The deepest nesting of a value that the schema leaves open ("any").
  package var anyDepth = 16
  /// The deepest nesting of a whole value: what is generated can be read again.
  ///
  /// Where a type contains itself, values that would go deeper are not legal.
  package var valueDepth = JSONReader.depthLimit
  /// The most ways in which a text can be going on at one place.
  package var threads = 4096
  /// The most bytes that an automaton takes for what it has been used for, roughly.
  package var automatonBytes = 512 << 20

  /// Creates the default limits.
  package init() {}
}

/// How a schema is turned into a grammar.
///
/// Part of a run's identity.
package struct GrammarOptions: Sendable, Hashable {
  /// The white space between the parts of a value.
  package var whitespace: WhitespaceMode
  /// How much white space may stand in one place, for `WhitespaceMode.any`.
  package var whitespaceBound: WhitespaceBound
  /// The spellings that are allowed.
  package var dialect: JSONDialect
  /// What a schema may cost.
  package var limits: GrammarLimits

  /// Creates options.
  package init(
    whitespace: WhitespaceMode = .compact, whitespaceBound: WhitespaceBound = WhitespaceBound(),
    dialect: JSONDialect = JSONDialect(), limits: GrammarLimits = GrammarLimits()
  ) {
    self.whitespace = whitespace
    self.whitespaceBound = whitespaceBound
    self.dialect = dialect
    self.limits = limits
  }
}
