import EvalFindings

/// The pieces of inline SVG plots.
///
/// Each element has its color twice: as a presentation attribute and as a class. If a host forbids
/// all style sheets, the attribute still works. Otherwise the class overrides the attribute and
/// follows the theme.
extension HTMLWriter {
  mutating func line(
    _ name: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, width: Double = 1,
    dash: String? = nil
  ) {
    element(
      "line", .class(name), .init("stroke", MarkColor.of(name)),
      width == 1 ? nil : .number("stroke-width", width),
      dash.map { .init("stroke-dasharray", $0) }, .number("x1", x1), .number("x2", x2),
      .number("y1", y1), .number("y2", y2), text: "")
  }

  /// Writes a dot or, for the classes `ring` and `dot-base`, an open circle.
  mutating func circle(_ name: String, _ x: Double, _ y: Double, radius: Double) {
    let color = MarkColor.of(name)
    let isOpen = name == "ring" || name == "dot-base"
    element(
      "circle", .class(name), .init("fill", isOpen ? MarkColor.paper : color),
      isOpen ? .init("stroke", color) : nil, .number("cx", x), .number("cy", y),
      .number("r", radius), text: "")
  }

  mutating func rectangle(_ name: String, x: Double, y: Double, width: Double, height: Double) {
    element(
      "rect", .class(name), .init("fill", MarkColor.of(name)), .number("x", x), .number("y", y),
      .number("width", max(0, width)), .number("height", max(0, height)), text: "")
  }

  /// Writes an area.
  mutating func area(_ name: String, _ shape: String) {
    guard !shape.isEmpty else { return }
    element("path", .class(name), .init("fill", MarkColor.of(name)), .init("d", shape), text: "")
  }

  /// Writes a line through points.
  mutating func curve(_ name: String, _ points: [(x: Double, y: Double)]) {
    curve(name, "M" + points.map { Self.point($0.x, $0.y) }.joined(separator: " "))
  }

  /// Writes a line, which may have gaps.
  mutating func curve(_ name: String, _ shape: String) {
    element(
      "path", .class(name), .init("fill", "none"), .init("stroke", MarkColor.of(name)),
      .init("d", shape), text: "")
  }

  /// A point of a shape: `12,34.5`.
  static func point(_ x: Double, _ y: Double) -> String {
    "\(NumberText.coordinate(x)),\(NumberText.coordinate(y))"
  }

  mutating func label(
    _ text: String, _ name: String, _ x: Double, _ y: Double, size: Double = 10,
    anchor: String = "middle", isBold: Bool = false, isStruck: Bool = false
  ) {
    element(
      "text", .class(name), .init("fill", MarkColor.of(name)), .number("font-size", size),
      .number("x", x), .number("y", y), anchor == "start" ? nil : .init("text-anchor", anchor),
      isBold ? .init("font-weight", "600") : nil,
      isStruck ? .init("text-decoration", "line-through") : nil, text: text)
  }

  /// Writes a plot that screen readers skip, because it repeats a table.
  mutating func silentPlot(
    width: Double, height: Double, content: (inout HTMLWriter) -> Void
  ) {
    element(
      "svg", .number("width", width), .number("height", height),
      .init("viewBox", "0 0 \(NumberText.coordinate(width)) \(NumberText.coordinate(height))"),
      .init("aria-hidden", "true"), content: content)
  }

  /// Writes a plot with a label that tells screen readers its numbers.
  ///
  /// A fluid plot grows with the page, but is never narrower than `width`, so that its text stays
  /// legible. The script shows the value that readers point at.
  mutating func plot(
    width: Double, height: Double, isFluid: Bool = false, label: String, values: PlotValues,
    content: (inout HTMLWriter) -> Void
  ) {
    element(
      "svg", isFluid ? .class("fluid") : nil, .number("width", width),
      isFluid ? nil : .number("height", height),
      .init("viewBox", "0 0 \(NumberText.coordinate(width)) \(NumberText.coordinate(height))"),
      .init("role", "img"), .init("aria-label", label),
      values.isEmpty ? nil : .init("data-v", values.texts.joined(separator: "\n")),
      values.isEmpty ? nil : .init("data-at", values.axis), content: content)
  }
}

/// The values of a plot in words, at equal distances along one of its axes.
struct PlotValues {
  let texts: [String]
  /// The axis, and the places of the first and the last value on it: `x 34 250`.
  let axis: String

  var isEmpty: Bool { texts.isEmpty }

  private init(_ texts: [String], _ name: String, _ first: Double, _ last: Double) {
    self.texts = texts.map { $0.replacing("|", with: "¦") }
    axis = "\(name) \(NumberText.coordinate(first)) \(NumberText.coordinate(last))"
  }

  static func across(_ texts: [String], from first: Double, to last: Double) -> PlotValues {
    PlotValues(texts, "x", first, last)
  }

  static func down(_ texts: [String], from first: Double, to last: Double) -> PlotValues {
    PlotValues(texts, "y", first, last)
  }
}

/// The colors of marks without a style sheet: those of the light theme.
private enum MarkColor {
  static let paper = "#fffffb"

  private static let ofClass = [
    "axis": "#65645c", "axis-soft": "#d6d4c9", "tick": "#65645c", "label-soft": "#45443e",
    "interval-base": "#6f6e66", "dot-base": "#6f6e66", "column-base": "#6f6e66",
    "fill-base": "#6f6e66", "dot-soft": "#45443e", "column": "#45443e", "curve": "#45443e",
    "ribbon": "#e9e7dd", "kept": "#e9e7dd", "decisive": "#fbe6dc", "band": "#f7f6ef",
    "passed": "#d6d4c9", "gate": "#7a5a00", "gate-text": "#7a5a00", "bad": "#a12d0c",
    "fill-bad": "#a12d0c", "stroke-bad": "#a12d0c", "good": "#17568b",
  ]

  /// The color of an element with some classes, of which the last one with a color decides.
  static func of(_ names: String) -> String {
    names.split(separator: " ").reversed().lazy.compactMap { ofClass[String($0)] }.first
      ?? "#171714"
  }
}

/// A linear scale from values to coordinates, which clamps values beyond its ends.
struct PlotScale {
  let low: Double
  let high: Double
  let start: Double
  let end: Double

  func callAsFunction(_ value: Double) -> Double {
    guard value.isFinite, high > low else { return start }
    return start + (min(max(value, low), high) - low) / (high - low) * (end - start)
  }

  /// An axis for shares, from a round number at or below the lowest share to 1.
  ///
  /// The axis covers at least 10 percentage points.
  static func shares(from lowest: Double, start: Double, end: Double) -> PlotScale {
    let steps = [0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9]
    let low = steps.last { $0 <= lowest } ?? 0
    return PlotScale(low: low, high: 1, start: start, end: end)
  }

  /// The range of the axis: `60–100 %`.
  var spanText: String {
    "\(NumberText.fixed(low * 100, 0))–\(NumberText.fixed(high * 100, 0))\u{A0}%"
  }
}
