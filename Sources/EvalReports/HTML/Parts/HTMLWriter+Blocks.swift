import EvalFindings
import EvalRecords
import EvalStatistics

/// The building blocks of a page.
extension HTMLWriter {
  /// Writes a section with its heading and an optional introduction in italics.
  mutating func section(
    _ id: String, _ title: String, lede: String = "",
    content: (inout HTMLWriter) -> Void
  ) {
    element("section", .id(id)) { w in
      w.element("h2", text: title)
      if !lede.isEmpty { w.element("p", .class("lede"), text: lede) }
      content(&w)
    }
    newline()
  }

  /// Writes a note in italics.
  mutating func note(_ text: String) { element("p", .class("note"), text: text) }

  /// Writes a figure with its caption, the second part of which is in lighter type.
  ///
  /// If it is a region with a name, it scrolls horizontally if the page is narrow.
  mutating func figure(
    _ title: String, _ note: String = "", region: String? = nil,
    content: (inout HTMLWriter) -> Void
  ) {
    element("figure") { w in
      w.element("figcaption") { w in
        w.element("b", text: title)
        w.text(note)
      }
      if let region { w.scrollRegion(region, content: content) } else { content(&w) }
    }
  }

  /// Writes a part of the page that readers unfold.
  mutating func fold(_ summary: String, content: (inout HTMLWriter) -> Void) {
    element("details") { w in
      w.element("summary", text: summary)
      w.element("div", .class("drill"), content: content)
    }
  }

  /// Writes the header cells of a table.
  mutating func headers(_ columns: [ReportTable.Column]) {
    for column in columns {
      element(
        "th", .init("scope", "col"), .class(column.kind == .number ? "number" : ""),
        column.isSortable ? .init("aria-sort", "none") : nil,
        Glossary.text(forHeading: column.title).map { .init("title", $0) }
      ) { w in
        let title = column.title.allSatisfy(\.isWhitespace) ? "(no name)" : column.title
        column.isSilent ? w.element("span", .class("unseen"), text: title) : w.text(title)
      }
    }
  }

  /// Writes the cell that names a row.
  mutating func rowHeader(
    _ text: String, class name: String = "", note: String = "", target: String? = nil,
    link: HTMLAttribute? = nil, span: Int = 1
  ) {
    // A header must not be empty, even if a hostile name is only white space.
    let line = VisibleText.line(text)
    let text = line.allSatisfy(\.isWhitespace) ? "(no name)" : line
    element(
      "th", .init("scope", "row"), .class(name), span > 1 ? .init("colspan", "\(span)") : nil
    ) { w in
      if let link = link ?? target.map({ .fragment($0) }) {
        w.element("a", link, text: text)
      } else {
        w.text(text)
      }
      if !note.isEmpty { w.element("span", .class("below"), text: note) }
    }
  }

  /// Writes a cell.
  mutating func cell(_ text: String, _ name: String = "") {
    element("td", .class(name), text: text)
  }

  /// Writes a note that says how many items the page leaves out, if any.
  mutating func leftOut(_ count: Int, _ noun: String, _ how: String = "not shown") {
    guard count > 0 else { return }
    note("\(NumberText.count(count, "more \(noun)")) \(how).")
  }

  /// Writes how many rows a table of a few suites leaves out, where they are, and what the run says
  /// about them.
  mutating func others<Row>(_ suites: FewSuites<Row>) {
    let count = suites.others.values.reduce(0, +)
    guard count > 0 else { return }
    element("p", .class("note")) { w in
      w.text(NumberText.count(count, "more row") + " below in ")
      w.element("a", .fragment("suites"), text: "Suites")
      let states = SuiteStanding.allCases.compactMap { standing in
        suites.others[standing].map { standing.words($0, of: count) }
      }
      w.text(": \(states.joined(separator: ", ")).")
    }
  }

  /// Writes the word of a verdict, to which the style sheet adds a symbol.
  mutating func tag(_ verdict: ComparisonVerdict) {
    element("span", .class("tag " + verdict.className), text: verdict.word)
  }

  /// Writes the bar at the top of a page: the page's name, links to its sections and, if there is
  /// one, to another page, the menu of themes, and the button that lists the keys.
  ///
  /// The menu and the button are hidden until the script shows them.
  mutating func bar(
    _ page: String, _ name: String, _ sections: [any PageSection],
    link: (address: HTMLAttribute, text: String)? = nil, hasKeys: Bool = false
  ) {
    element("a", .class("skip"), .fragment("main"), text: "Skip to the \(page)")
    element("header", .class("bar")) { w in
      w.element("div") { w in
        w.element("h1", text: name)
        w.element("nav", .init("aria-label", "Sections")) { w in
          for section in sections {
            w.element("a", .fragment(section.id), text: section.title)
            w.text(" ")
          }
          w.element("a", .fragment("method"), text: "Method")
          if let link {
            w.text(" ")
            w.element("a", link.address, text: link.text)
          }
        }
        w.element("label", .class("js"), .hidden) { w in
          w.element("span", text: "theme ")
          w.element("select", .id("theme")) { w in
            for choice in ["auto", "light", "dark"] {
              w.element("option", .init("value", choice), text: choice)
            }
          }
        }
        guard hasKeys else { return }
        w.element(
          "button", .init("type", "button"), .id("help"), .class("js"), .hidden,
          .init("aria-label", "Keys"), text: "?")
      }
    }
    newline()
  }

  /// Writes a text with its line breaks.
  ///
  /// If the text is too long, the function cuts it and writes a note about its length.
  ///
  /// The marks are ranges of bytes, in order and without overlap.
  mutating func preformatted(_ text: String, limit: Int = 4000, marks: [Range<Int>] = []) {
    let clipped = ClippedText(text, limit: limit)
    element("pre") { w in
      let bytes = Array(clipped.text.utf8)
      var end = 0
      for mark in marks where mark.lowerBound >= end && mark.upperBound <= bytes.count {
        w.text(String(decoding: bytes[end..<mark.lowerBound], as: UTF8.self))
        w.element("mark", text: String(decoding: bytes[mark], as: UTF8.self))
        end = mark.upperBound
      }
      w.text(String(decoding: bytes[end...], as: UTF8.self))
    }
    if clipped.fullLength != nil {
      note("Cut: " + clipped.note + ".")
    }
  }
}
