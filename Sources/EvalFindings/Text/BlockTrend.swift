/// Draws the values of successive runs as text: one block for each run, from `▁` at the bottom of a
/// range to `█` at its top.
package enum BlockTrend {
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns the blocks.
  ///
  /// - Parameters:
  ///   - values: The values, or `nil` for runs without a value.
  ///   - range: The range, from the value of the lowest block to the value of the highest.
  ///   - gap: The character for a run without a value.
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
