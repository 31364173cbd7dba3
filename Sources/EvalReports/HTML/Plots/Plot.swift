/// The pieces of inline SVG plots.
///
/// Each element has its color twice: as a presentation attribute and as a class. If a host forbids
/// all style sheets, the attribute still works. Otherwise the class overrides the attribute and
/// follows the theme.
extension HTMLWriter {
  mutating func line(
    _ name: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double,
    width: Double = 1, stroke: String = "#171714", dash: String? = nil
  ) {
    element(
      "line", .class(name), .init("stroke", stroke),
      width == 1 ? nil : .number("stroke-width", width), .init("stroke-dasharray", dash).present,
      .number("x1", x1), .number("x2", x2), .number("y1", y1), .number("y2", y2), text: "")
  }

  mutating func circle(
    _ name: String, _ x: Double, _ y: Double, radius: Double, fill: String = "#171714",
    stroke: String? = nil
  ) {
    element(
      "circle", .class(name), .init("fill", fill), .init("stroke", stroke).present,
      .number("cx", x), .number("cy", y), .number("r", radius), text: "")
  }

  mutating func rectangle(
    _ name: String, x: Double, y: Double, width: Double, height: Double, fill: String
  ) {
    element(
      "rect", .class(name), .init("fill", fill), .number("x", x), .number("y", y),
      .number("width", max(0, width)), .number("height", max(0, height)), text: "")
  }

  mutating func label(
    _ text: String, _ name: String, _ x: Double, _ y: Double, size: Double = 10,
    anchor: String = "middle", fill: String = "#65645c", isBold: Bool = false,
    isStruck: Bool = false
  ) {
    element(
      "text", .class(name), .init("fill", fill), .number("font-size", size), .number("x", x),
      .number("y", y), anchor == "start" ? nil : .init("text-anchor", anchor),
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

extension HTMLAttribute {
  /// The attribute, or none if it has no value.
  fileprivate var present: HTMLAttribute? { value == nil ? nil : self }
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
