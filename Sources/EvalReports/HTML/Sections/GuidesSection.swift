import EvalRecords

/// The guides, bounds, instructions and prompts that have changed since the baseline run, with the
/// changed words marked.
struct GuidesSection: PageSection {
  let document: ReportDocument
  let id = "guides"
  let title = "Guide edits"

  init(_ document: ReportDocument) { self.document = document }

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
      var scopes: [GuideEdit.Scope] = []
      for edit in edits where !scopes.contains(edit.scope) { scopes.append(edit.scope) }
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
        w.element("div") { w in
          w.element("h4", text: before)
          w.element("p", .class(name)) { w in
            guard edit.before != nil else { return w.absent() }
            for part in difference.parts {
              switch part {
              case .same(let text): w.text(text)
              case .removed(let text): w.element("del", text: text)
              case .added: break
              }
            }
          }
        }
        w.element("div") { w in
          w.element("h4", text: after)
          w.element("p", .class(name)) { w in
            guard edit.after != nil else { return w.absent() }
            for part in difference.parts {
              switch part {
              case .same(let text): w.text(text)
              case .removed: break
              case .added(let text): w.element("ins", text: text)
              }
            }
          }
        }
      }
    }
  }
}

extension HTMLWriter {
  fileprivate mutating func absent() { element("span", .class("faint"), text: "no text") }
}
