import EvalFindings
import EvalRecords
import EvalStatistics

/// A small picture of the newest run's result, for a README.
public enum Badge {
  /// Renders the newest run of a history as SVG.
  ///
  /// The picture has no script and loads nothing. Its title repeats its text.
  public static func render(_ history: RunHistory) -> String {
    let newest = history.entries.last
    let share = newest?.share
    let (message, fill): (String, String) =
      switch (newest?.exitStatus, newest?.state) {
      case (nil, _): ("no run yet", "#65645c")
      case (0, .acknowledged?):
        (
          "acknowledged" + (newest?.acknowledgedSince.map { ", since \($0)" } ?? ""), "#65645c"
        )
      // A run that neither passed nor failed has no green badge.
      case (0, let state?) where newest?.ending == .open: (state.word.lowercased(), "#65645c")
      case (0, _): ("\(share?.percent ?? "–") passing", "#17568b")
      // A rate alone doesn't say why the run failed: 100 % may pass in a run that missed a gate.
      case (1, let state?): (state.word.lowercased(), "#a12d0c")
      case (1, nil): ("\(share?.percent ?? "–") passing", "#a12d0c")
      case (2, _): ("interrupted", "#7a5a00")
      case (_, .notComparable?): ("not comparable", "#a12d0c")
      default: ("could not run", "#a12d0c")
      }
    let text = message.replacing("\u{A0}", with: " ")
    let left = 46.0
    let right = 14 + 6.4 * Double(text.count)
    var writer = XMLWriter()
    writer.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("width", NumberText.coordinate(left + right)),
        ("height", "20"), ("role", "img"), ("aria-label", "evals: \(text)"),
      ]
    ) { writer in
      writer.element("title", [], text: "evals: \(text)")
      writer.element(
        "rect",
        [("width", NumberText.coordinate(left)), ("height", "20"), ("fill", "#45443e")])
      writer.element(
        "rect",
        [
          ("x", NumberText.coordinate(left)), ("width", NumberText.coordinate(right)),
          ("height", "20"), ("fill", fill),
        ])
      label("evals", x: left / 2, to: &writer)
      label(text, x: left + right / 2, to: &writer)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func label(_ text: String, x: Double, to writer: inout XMLWriter) {
    writer.element(
      "text",
      [
        ("x", NumberText.coordinate(x)), ("y", "14"), ("fill", "#fff"), ("font-size", "11"),
        ("font-family", "Verdana,DejaVu Sans,sans-serif"), ("text-anchor", "middle"),
      ], text: text)
  }
}
