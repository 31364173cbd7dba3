/// Finds the values at given paths in a JSON text, so that pages can mark them.
///
/// The search expects a text that a JSON reader has accepted, and stops if the text is malformed.
package enum JSONSpans {
  /// A value that isn't complete yet.
  private struct Open {
    var path: String
    var start: Int
    /// The step to the next member or element.
    var step = JSONPlace.Step.index(0)
  }

  private static let maximumDepth = 64
  private static let maximumSpans = 40

  /// Returns the byte ranges of the values at given paths, in order and without overlap.
  ///
  /// - Parameters:
  ///   - paths: The paths, in which `[*]` means any element.
  ///   - text: A JSON text.
  package static func find(_ paths: Set<String>, in text: String) -> [Range<Int>] {
    guard !paths.isEmpty else { return [] }
    let spans = Array(text.utf8).withUnsafeBufferPointer { all(paths, in: JSONScanner($0)) }
    var end = 0
    // A value within a marked value is already marked.
    return spans.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
      .filter { span in
        guard span.lowerBound >= end else { return false }
        end = span.upperBound
        return true
      }
  }

  private static func all(_ paths: Set<String>, in scanner: JSONScanner) -> [Range<Int>] {
    var scanner = scanner
    var spans: [Range<Int>] = []
    var open: [Open] = []
    while let event = try? scanner.next(), event != .end {
      if event == .key {
        open[open.count - 1].step = .name(scanner.text)
        continue
      }
      if event != .endObject, event != .endArray {
        guard open.count < maximumDepth else { break }
        open.append(
          Open(path: open.last.map { $0.path + $0.step.text } ?? "$", start: scanner.start))
        if event == .beginObject || event == .beginArray { continue }
      }
      let value = open.removeLast()
      if case .index(let index)? = open.last?.step {
        open[open.count - 1].step = .index(index + 1)
      }
      if spans.count < maximumSpans,
        paths.contains(value.path) || paths.contains(JSONPlace.pattern(value.path))
      {
        spans.append(value.start..<scanner.position)
      }
    }
    return spans
  }
}
