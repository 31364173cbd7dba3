/// The functions that a formula can call: a fixed set, without side effects.
package enum ExpressionFunction: String, Sendable, Hashable, CaseIterable {
  case count
  case sum
  case mean
  case min
  case max
  case first
  case last
  case unique
  case sorted
  case all
  case any
  case keys
  case values
  case join
  case split
  case exists
  case type
  case number
  case text
  case abs
  case round
  case floor
  case ceil
  case characters
  case words
  case sentences
  case lower
  case upper
  case trim
  case contains
  case startsWith
  case endsWith
  case matches
  case similarity
  case milliseconds
  case outputTokens

  /// The minimum and maximum number of arguments.
  var arity: ClosedRange<Int> {
    switch self {
    case .milliseconds, .outputTokens: 0...0
    case .join, .split, .contains, .startsWith, .endsWith, .matches, .similarity: 2...2
    case .round: 1...2
    case .min, .max: 1...16
    default: 1...1
    }
  }

  /// The call syntax, as the reference shows it.
  package var signature: String {
    switch self {
    case .milliseconds, .outputTokens: "\(rawValue)()"
    case .join, .split: "\(rawValue)(x, separator)"
    case .contains: "contains(x, part)"
    case .startsWith, .endsWith: "\(rawValue)(text, part)"
    case .matches: "matches(text, \"pattern\")"
    case .similarity: "similarity(text, other)"
    case .round: "round(x, digits)"
    case .min, .max: "\(rawValue)(list)`, `\(rawValue)(x, y, …)"
    case .exists: "exists(path)"
    case .sum, .mean, .first, .last, .unique, .sorted, .all, .any: "\(rawValue)(list)"
    case .keys, .values: "\(rawValue)(object)"
    case .characters, .words, .sentences, .lower, .upper, .trim: "\(rawValue)(text)"
    default: "\(rawValue)(x)"
    }
  }

  /// A one-line description of what the function returns.
  package var summary: String {
    switch self {
    case .count: "the number of elements of a list or members of an object"
    case .sum: "the sum of a list of numbers; 0 if it is empty"
    case .mean: "the mean of a list of numbers; an error if it is empty"
    case .min: "the smallest of the numbers"
    case .max: "the largest of the numbers"
    case .first: "the first element, or null"
    case .last: "the last element, or null"
    case .unique: "the list without duplicates"
    case .sorted: "the list of numbers or of texts in ascending order"
    case .all: "whether every element is true; true if the list is empty"
    case .any: "whether at least one element is true; false if the list is empty"
    case .keys: "the names of an object's members"
    case .values: "the values of an object's members"
    case .join: "the texts of a list, joined with the separator"
    case .split: "the parts of a text, without white space at their ends"
    case .exists: "whether the path leads to a value, null included"
    case .type: "`\"string\"`, `\"number\"`, `\"boolean\"`, `\"array\"`, `\"object\"` or `\"null\"`"
    case .number: "the text as a number"
    case .text: "a text as it is, anything else as compact JSON"
    case .abs: "the number without its sign"
    case .round: "the nearest number with this many decimal digits, by default 0"
    case .floor: "the number rounded down"
    case .ceil: "the number rounded up"
    case .characters: "the number of characters, as the assertion `characters` counts them"
    case .words: "the number of words"
    case .sentences: "the number of sentences"
    case .lower: "the text in lower case"
    case .upper: "the text in upper case"
    case .trim: "the text without white space at its ends"
    case .contains: "whether a text contains the part, or a list contains the element"
    case .startsWith: "whether the text starts with the part"
    case .endsWith: "whether the text ends with the part"
    case .matches: "whether the whole text matches the regular expression, which must be a literal"
    case .similarity: "the similarity of two texts, from 0 to 1, by their edit distance"
    case .milliseconds: "the duration of the answer in milliseconds"
    case .outputTokens: "the number of tokens in the answer"
    }
  }
}
