import EvalRecords

extension ServedUse {
  /// The requests and everything notable about the server, one statement per line.
  package var lines: [String] {
    var lines = [
      "\(requests.counted("request")) to \(address), \(answers.counted("answer")), at most "
        + "\(mostAtOnce) at a time over \(connections.counted("connection"))"
    ]
    if retries > 0 {
      lines[0] += "; \(retries.counted("request")) \(retries == 1 ? "was a retry" : "were retries")"
    }
    if let capabilities { lines.append(capabilities.line) }
    let unknown = answersOfUnknownCost ?? 0
    if let cost {
      lines.append(
        "the answers cost \(NumberText.plain(cost, 4))"
          + (unknown == 0
            ? "" : ", without \(unknown.counted("answer")) whose tokens the server didn't report"))
    } else if unknown > 0 {
      lines.append("the cost isn't known, because the server doesn't report tokens")
    }
    if let ending { lines.append("the server got no more requests: \(ending)") }
    if hasChangedModel {
      lines.append(
        "the model changed during the run: \(Self.list(models)); its results can't be compared")
    }
    if fingerprints.count > 1 {
      lines.append(
        "the server's build or settings changed during the run: \(Self.list(fingerprints))")
    }
    if fingerprints[Self.unknownSystem] != nil {
      lines.append(
        "the version of the server's system isn't known, so an update goes unnoticed; set "
          + "ASSAY_APPLE_SYSTEM")
    }
    if !unapplied.isEmpty {
      lines.append("the server doesn't apply \(unapplied.joined(separator: ", "))")
    }
    if !losses.isEmpty {
      lines.append(
        "the server doesn't enforce \(losses.count.counted("part")) of schemas, so Assay checks "
          + "the answers: "
          + losses.prefix(3).joined(separator: "; ") + (losses.count > 3 ? "; …" : ""))
    }
    if let probabilities {
      lines.append(
        "\((measuredDecisions ?? 0).counted("decision")) measured and \(boundedDecisions ?? 0) "
          + "only bounded, "
          + "from probabilities \(probabilities == .beforeMask ? "before" : "after") the "
          + "server's mask"
      )
    } else if answers > 0 {
      lines.append("the server listed no probabilities, so decisions are counted")
    }
    if brokenPromises > 0 {
      lines.append(
        "\(brokenPromises) of \(answers.counted("answer")) violated the schema that the server "
          + "should have enforced")
    }
    if let foldedAnswers, foldedAnswers > 0 {
      lines.append(
        "\(foldedAnswers) of \(answers.counted("answer")) had different capitalization in enum "
          + "values"
      )
    }
    return lines
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }
      .map { "\($0.key) (\($0.value.counted("answer")))" }.joined(separator: ", ")
  }
}
