extension GenerationGuide {
  /// Returns a guide that requires the array to have at least the given number of elements.
  ///
  /// - Parameter count: The minimum number of elements.
  public static func minimumCount<Element>(
    _ count: Int
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.minimumCount(count))
  }

  /// Returns a guide that requires the array to have at most the given number of elements.
  ///
  /// - Parameter count: The maximum number of elements.
  public static func maximumCount<Element>(
    _ count: Int
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.maximumCount(count))
  }

  /// Returns a guide that requires the number of elements to be within the given range.
  ///
  /// - Parameter range: The allowed numbers of elements.
  public static func count<Element>(
    _ range: ClosedRange<Int>
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.minimumCount(range.lowerBound), .maximumCount(range.upperBound))
  }

  /// Returns a guide that requires the array to have exactly the given number of elements.
  ///
  /// - Parameter count: The number of elements.
  public static func count<Element>(
    _ count: Int
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.minimumCount(count), .maximumCount(count))
  }

  /// Returns a guide that requires every element to follow a guide.
  ///
  /// - Parameter guide: The guide for each element.
  public static func element<Element>(
    _ guide: GenerationGuide<Element>
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.element(guide.constraints))
  }
}

/// Overloads for attributes such as `@Guide(.count(3))`.
///
/// The compiler type-checks an attribute separately from its property, so it doesn't know the
/// element type and infers `Never`.
///
/// These overloads return guides; Apple's versions stop the program if they are called.
extension GenerationGuide where Value == [Never] {
  /// Returns a guide that requires the array to have at least the given number of elements.
  ///
  /// - Parameter count: The minimum number of elements.
  public static func minimumCount(_ count: Int) -> GenerationGuide<[Never]> {
    GenerationGuide(.minimumCount(count))
  }

  /// Returns a guide that requires the array to have at most the given number of elements.
  ///
  /// - Parameter count: The maximum number of elements.
  public static func maximumCount(_ count: Int) -> GenerationGuide<[Never]> {
    GenerationGuide(.maximumCount(count))
  }

  /// Returns a guide that requires the number of elements to be within the given range.
  ///
  /// - Parameter range: The allowed numbers of elements.
  public static func count(_ range: ClosedRange<Int>) -> GenerationGuide<[Never]> {
    GenerationGuide(.minimumCount(range.lowerBound), .maximumCount(range.upperBound))
  }

  /// Returns a guide that requires the array to have exactly the given number of elements.
  ///
  /// - Parameter count: The number of elements.
  public static func count(_ count: Int) -> GenerationGuide<[Never]> {
    GenerationGuide(.minimumCount(count), .maximumCount(count))
  }
}
