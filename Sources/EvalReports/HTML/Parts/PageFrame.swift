import EvalFindings

/// The frame of every page: the document type, the content-security policy, a title, an icon and
/// the style sheet.
struct PageFrame {
  let title: String
  /// The kind of icon: bad news, good news, or neither.
  let mood: Mood
  /// The script that the policy allows.
  let script: PageAsset?

  enum Mood {
    case bad
    case good
    case neutral
  }

  /// Returns the text of a page.
  func page(body: (inout HTMLWriter) -> Void) -> String {
    var w = HTMLWriter()
    w.documentType()
    w.element("html", .init("lang", "en")) { w in
      w.element("head") { w in head(to: &w) }
      w.newline()
      w.element("body", content: body)
    }
    w.newline()
    return String(decoding: w.bytes, as: UTF8.self)
  }

  private func head(to w: inout HTMLWriter) {
    w.void("meta", .init("charset", "utf-8"))
    w.newline()
    w.void(
      "meta", .init("http-equiv", "Content-Security-Policy"),
      .own("content", ContentSecurityPolicy.text(script: script)))
    w.newline()
    w.void(
      "meta", .init("name", "viewport"), .own("content", "width=device-width, initial-scale=1"))
    w.void("meta", .init("name", "color-scheme"), .init("content", "light dark"))
    w.newline()
    w.element("title", text: title)
    w.newline()
    w.void("link", .init("rel", "icon"), .own("href", icon))
    w.newline()
    w.asset("style", PageAsset.style)
  }

  private var icon: String {
    let (fill, path) =
      switch mood {
      case .bad: ("a12d0c", "M5 5l6 6M11 5l-6 6")
      case .good: ("17568b", "M4.5 8.5l2.5 2.5 4.5-5.5")
      case .neutral: ("65645c", "M5 8h6")
      }
    return "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
      + "%3Ccircle cx='8' cy='8' r='7' fill='%23\(fill)'/%3E%3Cpath d='\(path)' fill='none' "
      + "stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E"
  }
}
