import Foundation
import StructuredText

/// A constraint on a generated value.
///
/// The grammar enforces every guide.
public struct GenerationGuide<Value>: Sendable {
  let constraints: [GuideConstraint]

  init(_ constraints: GuideConstraint...) { self.constraints = constraints }
}

extension GenerationGuide where Value == String {
  /// The string must be the given value.
  public static func constant(_ value: String) -> GenerationGuide<String> {
    GenerationGuide(.choices([value]))
  }

  /// The string must be one of the given values.
  public static func anyOf(_ values: [String]) -> GenerationGuide<String> {
    GenerationGuide(.choices(values))
  }

  /// The whole string must match a regular expression.
  public static func pattern<Output>(_ regex: Regex<Output>) -> GenerationGuide<String> {
    GenerationGuide(GuideConstraint(matching: regex))
  }
}

extension GenerationGuide where Value == Int {
  /// The integer must be at least the given value.
  public static func minimum(_ value: Int) -> GenerationGuide<Int> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// The integer must be at most the given value.
  public static func maximum(_ value: Int) -> GenerationGuide<Int> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// The integer must be within the given range.
  public static func range(_ range: ClosedRange<Int>) -> GenerationGuide<Int> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}

extension GenerationGuide where Value == Float {
  /// The number must be at least the given value.
  public static func minimum(_ value: Float) -> GenerationGuide<Float> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// The number must be at most the given value.
  public static func maximum(_ value: Float) -> GenerationGuide<Float> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// The number must be within the given range.
  public static func range(_ range: ClosedRange<Float>) -> GenerationGuide<Float> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}

extension GenerationGuide where Value == Double {
  /// The number must be at least the given value.
  public static func minimum(_ value: Double) -> GenerationGuide<Double> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// The number must be at most the given value.
  public static func maximum(_ value: Double) -> GenerationGuide<Double> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// The number must be within the given range.
  public static func range(_ range: ClosedRange<Double>) -> GenerationGuide<Double> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}

extension GenerationGuide where Value == Decimal {
  /// The number must be at least the given value.
  public static func minimum(_ value: Decimal) -> GenerationGuide<Decimal> {
    GenerationGuide(.minimum(JSONNumber(value)))
  }

  /// The number must be at most the given value.
  public static func maximum(_ value: Decimal) -> GenerationGuide<Decimal> {
    GenerationGuide(.maximum(JSONNumber(value)))
  }

  /// The number must be within the given range.
  public static func range(_ range: ClosedRange<Decimal>) -> GenerationGuide<Decimal> {
    GenerationGuide(
      .minimum(JSONNumber(range.lowerBound)), .maximum(JSONNumber(range.upperBound)))
  }
}
