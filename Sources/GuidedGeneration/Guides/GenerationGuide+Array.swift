extension GenerationGuide {
  /// The array must have at least the given number of elements.
  public static func minimumCount<Element>(
    _ count: Int
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.minimumCount(count))
  }

  /// The array must have at most the given number of elements.
  public static func maximumCount<Element>(
    _ count: Int
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.maximumCount(count))
  }

  /// The number of elements must be within the given range.
  public static func count<Element>(
    _ range: ClosedRange<Int>
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.minimumCount(range.lowerBound), .maximumCount(range.upperBound))
  }

  /// The array must have exactly the given number of elements.
  public static func count<Element>(
    _ count: Int
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.minimumCount(count), .maximumCount(count))
  }

  /// Every element must follow a guide.
  public static func element<Element>(
    _ guide: GenerationGuide<Element>
  ) -> GenerationGuide<[Element]> where Value == [Element] {
    GenerationGuide(.element(guide.constraints))
  }
}

/// Overloads for attributes such as `@Guide(.count(3))`: the compiler checks an attribute without
/// its property, doesn't know the element type, and infers `Never`.
extension GenerationGuide where Value == [Never] {
  /// The array must have at least the given number of elements.
  public static func minimumCount(_ count: Int) -> GenerationGuide<[Never]> {
    GenerationGuide(.minimumCount(count))
  }

  /// The array must have at most the given number of elements.
  public static func maximumCount(_ count: Int) -> GenerationGuide<[Never]> {
    GenerationGuide(.maximumCount(count))
  }

  /// The number of elements must be within the given range.
  public static func count(_ range: ClosedRange<Int>) -> GenerationGuide<[Never]> {
    GenerationGuide(.minimumCount(range.lowerBound), .maximumCount(range.upperBound))
  }

  /// The array must have exactly the given number of elements.
  public static func count(_ count: Int) -> GenerationGuide<[Never]> {
    GenerationGuide(.minimumCount(count), .maximumCount(count))
  }
}
