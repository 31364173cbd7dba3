import EvalRecords

extension ServerCapabilities {
  /// The capabilities with their names, for a table.
  package var rows: [(name: String, value: String)] {
    [
      ("enforces schemas", enforcesSchema.words()),
      ("honors seeds", repeatsSeeds.words()),
      ("applies temperature", appliesTemperature.words()),
      ("decisions", decisionWords),
      ("key order", keepsKeyOrder.words(yes: "the schema's", no: "not the schema's")),
      ("white space", writesWhitespace.words(yes: "written", no: "none")),
      ("options not applied", unapplied.isEmpty ? "none" : unapplied.joined(separator: ", ")),
    ]
  }

  private var decisionWords: String {
    guard listedTokens > 0 else {
      return measuresDecisions == .yes
        ? "measured: the program reports them" : "counted: the server lists no tokens"
    }
    let list =
      "lists up to \(listedTokens.counted("token")); their probabilities: "
      + listsBeforeMask.words(yes: "from before the mask", no: "from after the mask")
    return measuresDecisions.words(yes: "measured", no: "counted") + "; " + list
  }

  /// The capabilities in one line.
  package var line: String {
    "tested with \(requests.counted("request")) before the first answer: "
      + rows.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
  }
}

extension ServerCapabilities.Finding {
  fileprivate func words(yes: String = "yes", no: String = "no") -> String {
    switch self {
    case .yes: yes
    case .no: no
    case .unknown(let reason): "unknown (\(reason))"
    }
  }
}
