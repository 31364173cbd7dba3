import Testing

@testable import EvalFindings
@testable import EvalReports

/// Checks the rules that every page must follow.
enum PageCheck {
  private static let elements: Set<String> = [
    "html", "head", "meta", "title", "link", "style", "script", "body", "a", "header", "div", "h1",
    "h2", "h3", "h4", "nav", "label", "span", "select", "option", "button", "main", "p", "b", "i",
    "code", "dl", "dt", "dd", "figure", "figcaption", "svg", "line", "circle", "rect", "text",
    "path", "polyline", "section", "table", "caption", "thead", "tbody", "tr", "th", "td",
    "details", "summary", "pre", "ul", "li", "del", "ins", "s", "input", "noscript", "footer",
    "dialog", "kbd", "form", "mark",
  ]
  private static let attributes: Set<String> = [
    "lang", "charset", "http-equiv", "content", "name", "rel", "href", "class", "id", "tabindex",
    "role", "aria-label", "aria-hidden", "aria-labelledby", "aria-describedby", "title",
    "aria-sort", "aria-pressed", "hidden", "type",
    "value", "for", "autocomplete", "spellcheck", "placeholder", "scope", "colspan", "data-v",
    "data-n", "data-l", "data-s", "data-t", "data-total", "data-at", "data-change", "data-state",
    "data-i", "data-h", "open", "method", "width", "height",
    "viewBox", "fill", "stroke",
    "stroke-width",
    "stroke-dasharray", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d", "points",
    "font-size", "font-weight", "text-anchor", "text-decoration",
  ]
  private static let files: Set<String> = ["report.html", "junit.xml", "results.jsonl"]

  /// Checks a page, and returns the parsed page.
  ///
  /// The page must be well-formed, contain only the program's own elements and attributes, load
  /// nothing, and link only to itself or to report files in folders next to it.
  @discardableResult
  static func check(
    _ text: String, hasScript: Bool = true, isDashboard: Bool = false
  ) throws -> ParsedHTML {
    let page = ParsedHTML(text)
    #expect(page.problems == [])
    #expect(Set(page.tags.map(\.name)).subtracting(elements) == [])
    let names = Set(page.tags.flatMap { $0.attributes.map(\.name) })
    #expect(names.subtracting(attributes) == [])
    #expect(Set(page.ids).count == page.ids.count, "ids are unique")
    let ids = Set(page.ids)
    for link in page.tags where link.name == "a" {
      let target = try #require(link.attribute("href"))
      let parts = target.split(separator: "/", omittingEmptySubsequences: false)
      let isFile =
        isDashboard && parts.count == 2 && Int(parts[0]) != nil
        && (files.contains(String(parts[1]))
          || parts[1].wholeMatch(of: /report\.html#c(-\d+){1,2}/) != nil)
      let isNeighbor =
        !isDashboard && target.wholeMatch(of: /\.\.\/(index|-?\d+\/report)\.html/) != nil
      #expect(
        isFile || isNeighbor || target.hasPrefix("#") && ids.contains(String(target.dropFirst())),
        "\(target)")
    }
    #expect(
      page.tags.filter { $0.name == "link" }.allSatisfy {
        $0.attribute("href")?.hasPrefix("data:image/svg+xml,") == true
      })
    // A report has its facts, the data of its attempts and, with a reference, of its inputs. A
    // dashboard has the facts about its test cases.
    let scripts = page.tags.filter { $0.name == "script" }.count
    #expect((isDashboard ? 1...2 : hasScript ? 3...4 : 0...0).contains(scripts))
    #expect(page.tags.filter { $0.name == "style" }.count == 1)
    #expect(page.tags.filter { $0.name == "h1" }.count == 1)
    #expect(!text.unicodeScalars.contains(where: VisibleText.isHidden), "no character is hidden")
    return page
  }
}
