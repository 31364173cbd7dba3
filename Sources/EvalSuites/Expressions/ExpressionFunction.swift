/// The functions that a formula can call: a closed set, without effects.
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

  /// The call in the form that the reference shows.
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

  /// A one-line description of the result.
  package var summary: String {
    switch self {
    case .count: "the number of elements of a list or members of an object"
    case .sum: "the sum of a list of numbers; 0 of none"
    case .mean: "the mean of a list of numbers; an error of none"
    case .min: "the least of some numbers"
    case .max: "the greatest of some numbers"
    case .first: "the first element, or null"
    case .last: "the last element, or null"
    case .unique: "the list with each value once"
    case .sorted: "the list of numbers or of texts in ascending order"
    case .all: "whether every element is true; true of none"
    case .any: "whether an element is true; false of none"
    case .keys: "the names of an object's members"
    case .values: "the values of an object's members"
    case .join: "the texts of a list, put together"
    case .split: "the parts of a text; white space at their ends is taken away"
    case .exists: "whether the path leads to a value, null included"
    case .type: "`\"string\"`, `\"number\"`, `\"boolean\"`, `\"array\"`, `\"object\"` or `\"null\"`"
    case .number: "the number that a text is"
    case .text: "a text as it is, anything else as compact JSON"
    case .abs: "the number without its sign"
    case .round: "the nearest number with so many decimal digits, 0 where none are given"
    case .floor: "the greatest whole number that is not above"
    case .ceil: "the least whole number that is not below"
    case .characters: "how many characters the text has, counted as the assertion does"
    case .words: "how many words the text has"
    case .sentences: "how many sentences the text has"
    case .lower: "the text in lower case"
    case .upper: "the text in upper case"
    case .trim: "the text without white space at its ends"
    case .contains: "whether a text has the part in it, or a list the element"
    case .startsWith: "whether the text starts with the part"
    case .endsWith: "whether the text ends with the part"
    case .matches: "whether the whole text matches the regular expression, which is written out"
    case .similarity: "how alike two texts are, from 0 to 1, by their edit distance"
    case .milliseconds: "how long the answer took"
    case .outputTokens: "how many tokens the answer has"
    }
  }
}
