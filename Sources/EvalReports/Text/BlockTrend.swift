/// Draws the values of successive runs as text: one block for each run, from `▁` for the lowest
/// value to `█` for the highest.
package enum BlockTrend {
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns the blocks.
  ///
  /// - Parameters:
  ///   - values: The values; nil for runs without a value.
  ///   - range: The values that the lowest and the highest block stand for.
  ///   - gap: The sign of a run without a value.
  package static func text(
    _ values: [Double?], in range: ClosedRange<Double>, gap: Character
  ) -> String {
    let span = range.upperBound - range.lowerBound
    return String(
      values.map { value in
        guard let value, span > 0 else { return gap }
        let share = min(1, max(0, (value - range.lowerBound) / span))
        return blocks[Int((share * 7).rounded())]
      })
  }
}
