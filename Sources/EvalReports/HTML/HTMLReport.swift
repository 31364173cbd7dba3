import EvalRecords
import StructuredText

/// One page of HTML that holds everything about a run.
///
/// It loads nothing, opens from `file://`, reads with scripts and styles off, and carries a
/// content-security policy that allows exactly its own style sheet and script, by hash.
public enum HTMLReport {
  /// Renders a document.
  ///
  /// - Parameter document: What to report.
  /// - Returns: The text of the page.
  /// - Complexity: O(n) in the number of attempts.
  public static func render(_ document: ReportDocument) -> String {
    var w = HTMLWriter()
    let page = HTMLPage(document)
    w.documentType()
    w.element("html", .init("lang", "en")) { w in
      w.element("head") { w in page.head(to: &w) }
      w.newline()
      w.element("body") { w in page.body(to: &w) }
    }
    w.newline()
    return String(decoding: w.bytes, as: UTF8.self)
  }
}

/// The frame of the page: head, navigation, sections in the order of the reader's questions.
struct HTMLPage {
  let document: ReportDocument
  private let sections: [any PageSection]

  init(_ document: ReportDocument) {
    self.document = document
    let all: [any PageSection] = [
      ComparisonSection(document), ScorecardSection(document), SuitesSection(document),
      CasesSection(document), LengthsSection(document), BranchesSection(document),
      DecisionsSection(document), GuidesSection(document), FailuresSection(document),
      LatencySection(document), AttemptsSection(document),
    ]
    sections = all.filter { !$0.isEmpty }
  }

  private var name: String {
    document.run.label.isEmpty
      ? "Run \(document.run.id)" : "\(VisibleText.line(document.run.label)) \(document.run.id)"
  }

  func head(to w: inout HTMLWriter) {
    let headline = document.headline
    w.void("meta", .init("charset", "utf-8"))
    w.newline()
    w.void(
      "meta", .init("http-equiv", "Content-Security-Policy"),
      .own("content", ContentSecurityPolicy.text))
    w.newline()
    w.void(
      "meta", .init("name", "viewport"), .own("content", "width=device-width, initial-scale=1"))
    w.void("meta", .init("name", "color-scheme"), .init("content", "light dark"))
    w.newline()
    let passing = Share(document.summary.tally.passed, of: document.summary.tally.attempts)
    w.element(
      "title",
      text: "\(headline.glyph) \(headline.word) · \(name) · \(passing.percent) of "
        + "\(NumberText.count(passing.count, "attempt")) pass")
    w.newline()
    w.void("link", .init("rel", "icon"), .own("href", icon))
    w.newline()
    w.asset("style", StyleSheet.text)
  }

  private var icon: String {
    let (fill, path) =
      document.headline.isBad
      ? ("a12d0c", "M5 5l6 6M11 5l-6 6")
      : document.headline.state == .passed || document.headline.state == .improved
        ? ("17568b", "M4.5 8.5l2.5 2.5 4.5-5.5") : ("65645c", "M5 8h6")
    return "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
      + "%3Ccircle cx='8' cy='8' r='7' fill='%23\(fill)'/%3E%3Cpath d='\(path)' fill='none' "
      + "stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E"
  }

  func body(to w: inout HTMLWriter) {
    w.element("a", .class("skip"), .fragment("main"), text: "Skip to the report")
    w.element("header", .class("bar")) { w in
      w.element("div") { w in
        w.element("h1", text: name)
        w.element("nav", .init("aria-label", "Sections")) { w in
          for section in sections {
            w.element("a", .fragment(section.id), text: section.title)
            w.text(" ")
          }
          w.element("a", .fragment("method"), text: "Method")
        }
        w.element("label", .class("js"), .hidden) { w in
          w.element("span", .class("vh"), text: "Theme")
          w.element("select", .id("theme")) { w in
            for choice in ["auto", "light", "dark"] {
              w.element("option", .init("value", choice), text: choice)
            }
          }
        }
        w.element(
          "button", .init("type", "button"), .id("help"), .class("js"), .hidden,
          .init("aria-label", "Keys"), text: "?")
      }
    }
    w.newline()
    w.element("main", .id("main"), .init("tabindex", "-1")) { w in
      HeadSection(document).write(to: &w)
      for section in sections { section.write(to: &w) }
    }
    w.newline()
    MethodSection(document).write(to: &w)
    KeysDialog.write(to: &w)
    AttemptColumns(document.summary).write(to: &w)
    w.newline()
    w.asset("script", PageScript.text)
  }
}

/// One section of the page.
protocol PageSection {
  /// The fragment that links to it.
  var id: String { get }
  /// Its heading, the same in the navigation.
  var title: String { get }
  /// Whether there is nothing to say, so that it is left out.
  var isEmpty: Bool { get }

  func write(to w: inout HTMLWriter)
}
