import EvalRecords

/// One text or bound that differs between the baseline and the candidate.
@dynamicMemberLookup
package struct GuideEdit: Sendable, Hashable {
  /// Where an edit was found.
  package enum Scope: Sendable, Hashable {
    /// The two sides of a comparison.
    case comparison(SideRecord, SideRecord)
    /// A suite or one of its variants, compared with the baseline run or the lab's base variant.
    case suite(String, variant: String?)

    /// The suite, or `nil` if a comparison covers all suites.
    package var suite: String? {
      switch self {
      case .comparison(_, let candidate): candidate.suite
      case .suite(let suite, _): suite
      }
    }
  }

  /// The two sides between which the text or bound differs.
  package let scope: Scope
  /// The edit.
  ///
  /// Reports show bounds and lists of names, which aren't prose, in a monospaced font.
  package let edit: GuideText.Edit

  package subscript<Value>(dynamicMember part: KeyPath<GuideText.Edit, Value>) -> Value {
    edit[keyPath: part]
  }

  private static let maximumEdits = 200

  /// The edits of all comparisons, followed by the edits between the baseline run and this run.
  package static func edits(
    comparisons: [ReportComparison], run: RunRecord, baseline: RunRecord?
  ) -> [GuideEdit] {
    var edits: [GuideEdit] = []
    for comparison in comparisons {
      guard let old = comparison.baselineVariant, let new = comparison.candidateVariant else {
        continue
      }
      let record = comparison.record
      edits += differences(
        scope: .comparison(record.baseline, record.candidate), from: old, to: new)
    }
    if let baseline {
      for suite in run.suites {
        guard let earlier = baseline.suites.first(where: { $0.id == suite.id }) else { continue }
        for variant in suite.variants {
          guard let old = earlier.variants.first(where: { $0.id == variant.id }) else { continue }
          let isOnly = suite.variants.count == 1
          // Don't repeat an edit that a comparison or an earlier variant shows.
          let known = edits
          edits += differences(
            scope: .suite(suite.id, variant: isOnly ? nil : variant.id), from: old, to: variant
          ).filter { edit in !known.contains { $0.edit == edit.edit } }
        }
      }
    }
    return Array(edits.prefix(maximumEdits))
  }

  /// Returns the texts and bounds that differ between two variants.
  package static func differences(
    scope: Scope, from old: VariantRecord, to new: VariantRecord
  ) -> [GuideEdit] {
    GuideText.edits(from: GuideText.texts(old), to: GuideText.texts(new)).map {
      GuideEdit(scope: scope, edit: $0)
    }
  }
}
