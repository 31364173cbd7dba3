import StructuredText
import SystemBasics

/// A constraint on a generated value.
///
/// All bounds are inclusive. Unlike in Apple's framework, the grammar enforces every guide, whether
/// it comes from the macro, a `GenerationSchema.Property` or a `DynamicGenerationSchema`. If a
/// guide can't be enforced, the request throws `LanguageModelError.unsupportedGenerationGuide`
/// before the model generates anything.
public struct GenerationGuide<Value>: Sendable {
  let constraints: [GuideConstraint]

  init(_ constraints: GuideConstraint...) { self.constraints = constraints }
}

extension GenerationGuide where Value == String {
  /// Returns a guide that requires the string to be the given value.
  ///
  /// The schema's JSON encodes the guide as an `enum` with one string. This is Assay's choice,
  /// because Apple's behavior is unknown.
  ///
  /// - Parameter value: The only allowed string.
  public static func constant(_ value: String) -> GenerationGuide<String> {
    GenerationGuide(.choices([value]))
  }

  /// Returns a guide that requires the string to be one of the given values.
  ///
  /// In OS 26.2, Apple's framework sometimes generates strings that aren't in the list. Here, no
  /// other string can be generated.
  ///
  /// - Parameter values: The allowed strings. If the list is empty, every request with the guide
  ///   throws `LanguageModelError.unsupportedGenerationGuide`.
  public static func anyOf(_ values: [String]) -> GenerationGuide<String> {
    GenerationGuide(.choices(values))
  }

  /// Returns a guide that requires the whole string to match a regular expression.
  ///
  /// The expression may be a literal or built at run time. A request throws
  /// `LanguageModelError.unsupportedGenerationGuide` if the expression contains look-around, a
  /// back-reference, a set operation, a transform or a custom parser, or a group that Swift's
  /// library drops when it writes the expression as text. Apple's system model supports only simple
  /// patterns, such as `\d+` and `\w+`.
  ///
  /// - Parameter regex: The regular expression.
  public static func pattern<Output>(_ regex: Regex<Output>) -> GenerationGuide<String> {
    GenerationGuide(GuideConstraint(matching: regex))
  }
}

extension GenerationGuide where Value == Int {
  /// Returns a guide that requires the integer to be at least the given value.
  ///
  /// - Parameter value: The smallest allowed integer.
  public static func minimum(_ value: Int) -> GenerationGuide<Int> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// Returns a guide that requires the integer to be at most the given value.
  ///
  /// - Parameter value: The largest allowed integer.
  public static func maximum(_ value: Int) -> GenerationGuide<Int> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// Returns a guide that requires the integer to be within the given range.
  ///
  /// - Parameter range: The allowed integers.
  public static func range(_ range: ClosedRange<Int>) -> GenerationGuide<Int> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}

extension GenerationGuide where Value == Float {
  /// Returns a guide that requires the number to be at least the given value.
  ///
  /// - Parameter value: The smallest allowed number.
  public static func minimum(_ value: Float) -> GenerationGuide<Float> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// Returns a guide that requires the number to be at most the given value.
  ///
  /// - Parameter value: The largest allowed number.
  public static func maximum(_ value: Float) -> GenerationGuide<Float> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// Returns a guide that requires the number to be within the given range.
  ///
  /// - Parameter range: The allowed numbers.
  public static func range(_ range: ClosedRange<Float>) -> GenerationGuide<Float> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}

extension GenerationGuide where Value == Double {
  /// Returns a guide that requires the number to be at least the given value.
  ///
  /// - Parameter value: The smallest allowed number.
  public static func minimum(_ value: Double) -> GenerationGuide<Double> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// Returns a guide that requires the number to be at most the given value.
  ///
  /// - Parameter value: The largest allowed number.
  public static func maximum(_ value: Double) -> GenerationGuide<Double> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// Returns a guide that requires the number to be within the given range.
  ///
  /// - Parameter range: The allowed numbers.
  public static func range(_ range: ClosedRange<Double>) -> GenerationGuide<Double> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}

extension GenerationGuide where Value == Decimal {
  /// Returns a guide that requires the number to be at least the given value.
  ///
  /// - Parameter value: The smallest allowed number.
  public static func minimum(_ value: Decimal) -> GenerationGuide<Decimal> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// Returns a guide that requires the number to be at most the given value.
  ///
  /// - Parameter value: The largest allowed number.
  public static func maximum(_ value: Decimal) -> GenerationGuide<Decimal> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// Returns a guide that requires the number to be within the given range.
  ///
  /// - Parameter range: The allowed numbers.
  public static func range(_ range: ClosedRange<Decimal>) -> GenerationGuide<Decimal> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}
