import EvalFindings
import EvalRecords

/// The guides, bounds, instructions and prompts that have changed since the baseline run, with the
/// changed words marked.
struct GuidesSection: PageSection {
  let document: ReportDocument
  let id = "guides"
  let title = "Guide edits"

  /// The edits since the baseline run; the comparison section shows edits between variants.
  private var edits: [GuideEdit] {
    document.edits.filter {
      if case .comparison = $0.scope { false } else { true }
    }
  }

  var isEmpty: Bool { edits.isEmpty }

  func write(to w: inout HTMLWriter) {
    let edits = edits
    let count = NumberText.count(edits.count, "text")
    w.section(
      id, title, lede: "\(count) changed since run \(document.baseline?.run.id ?? 0)."
    ) { w in
      let scopes = edits.map(\.scope).distinct
      for scope in scopes {
        if scopes.count > 1 { w.element("h3", text: scope.words) }
        Self.write(
          edits.filter { $0.scope == scope }, before: "baseline", after: "this run", to: &w)
      }
    }
  }

  /// Writes edits side by side: the old text on the left, the new text on the right.
  static func write(
    _ edits: [GuideEdit], before: String, after: String, to w: inout HTMLWriter
  ) {
    for edit in edits {
      let difference = WordDifference(from: edit.before ?? "", to: edit.after ?? "")
      let name = edit.isProse ? "" : "mono"
      w.element("h3", text: edit.place)
      w.element("div", .class("diff")) { w in
        for (isBefore, text) in [(true, edit.before), (false, edit.after)] {
          w.element("div") { w in
            w.element("h4", text: isBefore ? before : after)
            w.element("p", .class(name)) { w in
              guard text != nil else {
                return w.element("span", .class("faint"), text: "no text")
              }
              w.difference(difference.parts, removed: isBefore, added: !isBefore)
            }
          }
        }
      }
    }
  }
}

extension HTMLWriter {
  /// Writes a difference between two texts, with the parts of one side or of both.
  mutating func difference(
    _ parts: [WordDifference.Part], removed: Bool = true, added: Bool = true
  ) {
    for part in parts {
      switch part {
      case .same(let text): self.text(text)
      case .removed(let text): if removed { element("del", text: text) }
      case .added(let text): if added { element("ins", text: text) }
      }
    }
  }
}
