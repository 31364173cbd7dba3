import Patterns
import StructuredText

/// The white space that is allowed between the parts of a value.
package enum WhitespaceMode: String, Sendable, Hashable, CaseIterable {
  /// No white space: `{"a":[1,2]}`.
  case compact
  /// Exactly one space after `:` and `,`: `{"a": [1, 2]}`.
  case singleSpace
  /// One member or element per line, indented by two spaces; empty arrays and objects stay on one
  /// line.
  case pretty
  /// Spaces, tabs and line ends wherever JSON allows them, except before and after the whole value.
  ///
  /// The model chooses the white space, within a bound for each run (`WhitespaceBound`).
  case any
  /// Like `any`, but without a bound.
  ///
  /// A model can generate white space forever. This mode exists for comparison with other engines,
  /// and for measuring what the other modes forbid.
  case flexible

  /// Whether the model may choose the white space, which is then a separate part of the grammar
  /// (*optional white space*).
  var isVarying: Bool { self == .any || self == .flexible }
}

/// The allowed spellings of a value that JSON can write in several ways.
///
/// Some rules are the same in every dialect:
///
/// - Members come in schema order.
/// - Keys, enums and strings with a pattern have no unnecessary escapes.
/// - Integers and bounded numbers have no exponent.
/// - A value that the schema leaves open ("any") is nested at most `GrammarLimits.anyDepth` deep.
///
/// The model can still choose between `\u001F` and `\u001f`, add trailing zeros to a number
/// (`1.50`), and write unbounded numbers with an exponent (`1e3`).
package struct JSONDialect: Sendable, Hashable {
  /// The `\uXXXX` escapes that are allowed in free strings.
  package enum UnicodeEscapes: String, Sendable, Hashable {
    /// No escapes.
    case none
    /// Only the escapes of control characters without a short form (`\n` is a short form).
    case controlsOnly
    /// The escapes of all characters; surrogates only in pairs.
    case any
  }

  /// Whether a string may contain the character U+007F unescaped.
  package var allowsRawDelete: Bool
  /// Whether `/` may be written as `\/`.
  package var allowsEscapedSlash: Bool
  /// The `\uXXXX` escapes that are allowed.
  package var unicodeEscapes: UnicodeEscapes
  /// Whether zero may have a minus sign if negative numbers are allowed too.
  package var allowsNegativeZero: Bool

  /// Creates a dialect; with the defaults, nearly every value has only one spelling.
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

/// The limits on the size of a schema and on the cost of using it.
///
/// If a schema exceeds a limit, its compilation fails with a `GrammarError`. The limits `threads`
/// and `automatonBytes` apply to answers: an answer that exceeds one of them ends with
/// `DecodingError.limit`.
package struct GrammarLimits: Sendable, Hashable {
  /// The maximum nesting depth of the schema itself.
  package var depth = 64
  /// The maximum number of nodes in the schema.
  package var nodes = 200_000
  /// The maximum number of options in a union.
  package var unionChoices = 256
  /// The maximum length of a chain of references and unions with nothing in between.
  package var chain = 256
  /// The maximum number of optional members in an object.
  package var optionalMembers = 1000
  /// The maximum number of byte states of all literals, numbers and patterns together.
  package var byteStates = 2_000_000
  /// The maximum number of states of one pattern.
  package var patternStates = 50_000
  /// The maximum number of steps for compiling all patterns together.
  package var patternSteps = PatternBudget.defaultSteps
  /// The largest bound that a schema may set on a number of elements or characters.
  package var count = 10_000_000
  /// The largest bound that a schema may set on a number of properties.
  package var properties = 10_000
  /// The maximum number of digits in a numeric bound.
  package var digits = 400
  /// The maximum nesting depth of a value that the schema leaves open ("any").
  package var anyDepth = 16
  /// The maximum nesting depth of a whole value, chosen so that `JSONReader` can read every answer.
  ///
  /// The mask forbids deeper values of a recursive type.
  package var valueDepth = JSONReader.depthLimit
  /// The maximum number of threads (ways in which the text can continue) at one place.
  package var threads = 4096
  /// The approximate maximum size of an automaton's tables in bytes.
  package var automatonBytes = 512 << 20

  package init() {}
}

/// Options for compiling a schema to a grammar.
///
/// The request fingerprint covers the white-space mode.
package struct GrammarOptions: Sendable, Hashable {
  /// The white space between the parts of a value.
  package var whitespace: WhitespaceMode
  /// The bound on the white space at one place, for `WhitespaceMode.any`.
  package var whitespaceBound: WhitespaceBound
  /// The allowed spellings.
  package var dialect: JSONDialect
  /// The limits on the schema and on the cost of using it.
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
