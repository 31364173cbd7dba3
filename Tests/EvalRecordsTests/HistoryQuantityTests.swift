import Testing

@testable import EvalRecords

@Suite("Quantities in the history")
struct HistoryQuantityTests {
  @Test(
    "a quantity keeps its meaning, whatever characters its path and its branch have",
    arguments: [
      (Quantity.emptyArray(path: "$.cards"), "emptyArrays", "$.cards"),
      (.missingArray(path: "$.days[*].meals"), "missingArrays", "$.days[*].meals"),
      (.arrayLength(path: "$['a b'].c"), "arrayLength", "$['a b'].c"),
      (.wrongBranch(path: "$"), "wrongBranch", "$"),
      (.missedBranch("unclear", path: "$.kind"), "outRecall", "$.kind unclear"),
      (.missedBranch("not clear", path: "$['it\\'s a']"), "outRecall", "$['it\\'s a'] not clear"),
      (.missedBranch(".b $.c", path: "$.days[*].a"), "outRecall", "$.days[*].a .b $.c"),
      (.missedBranch("", path: "$"), "outRecall", "$ "),
    ])
  func checkNames(quantity: Quantity, kind: String, subject: String) throws {
    let names = try #require(quantity.historyNames)
    #expect(names.kind == kind)
    #expect(names.subject == subject)
    #expect(Quantity(historyKind: kind, subject: subject) == quantity)
  }

  @Test("a kind of a newer version and a recall without a branch are unknown")
  func unknown() {
    #expect(Quantity(historyKind: "shortest", subject: "$.cards") == nil)
    #expect(Quantity(historyKind: "outRecall", subject: "$.cards") == nil)
    #expect(Quantity.passRate.historyNames == nil)
  }
}
