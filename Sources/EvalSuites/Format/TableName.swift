/// The names of the tables that define the suite format.
package enum TableName: Sendable, Hashable {
  case suite
  case include
  case generates
  case options
  case variant
  case edit
  case guideEdit
  case boundEdit
  case branchEdit
  case textEdit
  case lint
  /// The project file.
  case project
  /// A model in the project file.
  case projectModel
  /// The prices of a served model in the project file.
  case projectPrices
  case gate
  case caseGate
  case metric
  case metricBounds
  case stub
  case stubEntry
  case weightedStubEntry
  case suiteCase
  case casesFile
  case promptSet
  case promptSetPart
  /// An entry in a list of assertions.
  case assertion
  /// An entry in a list of assertions about an element; the paths in these assertions start with
  /// `@`, which stands for the element.
  case elementAssertion
  /// The parameters of one kind of assertion.
  case check(AssertionKind)

  /// The table's name in the JSON Schema for editors.
  package var text: String {
    switch self {
    case .suite: "suite"
    case .include: "include"
    case .generates: "generates"
    case .options: "options"
    case .variant: "variant"
    case .edit: "edit"
    case .guideEdit: "guideEdit"
    case .boundEdit: "boundEdit"
    case .branchEdit: "branchEdit"
    case .textEdit: "textEdit"
    case .lint: "lint"
    case .project: "project"
    case .projectModel: "projectModel"
    case .projectPrices: "projectPrices"
    case .gate: "gate"
    case .caseGate: "caseGate"
    case .metric: "metric"
    case .metricBounds: "metricBounds"
    case .stub: "stub"
    case .stubEntry: "stubEntry"
    case .weightedStubEntry: "weightedStubEntry"
    case .suiteCase: "case"
    case .casesFile: "casesFile"
    case .promptSet: "promptSet"
    case .promptSetPart: "promptSetPart"
    case .assertion, .elementAssertion: "assertion"
    case .check(let kind): "check-\(kind.name)"
    }
  }

  /// The table with this name.
  package var table: KeyTable {
    switch self {
    case .suite: SuiteFormat.suite
    case .include: SuiteFormat.include
    case .generates: SuiteFormat.generates
    case .options: SuiteFormat.options
    case .variant: SuiteFormat.variant
    case .edit: SuiteFormat.edit
    case .guideEdit: SuiteFormat.guideEdit
    case .boundEdit: SuiteFormat.boundEdit
    case .branchEdit: SuiteFormat.branchEdit
    case .textEdit: SuiteFormat.textEdit
    case .lint: SuiteFormat.lint
    case .project: ProjectFormat.project
    case .projectModel: ProjectFormat.model
    case .projectPrices: ProjectServer.pricesTable
    case .gate: SuiteFormat.gate
    case .caseGate: SuiteFormat.caseGate
    case .metric: SuiteFormat.metric
    case .metricBounds: SuiteFormat.metricBounds
    case .stub: SuiteFormat.stub
    case .stubEntry: SuiteFormat.stubEntry
    case .weightedStubEntry: SuiteFormat.weightedStubEntry
    case .suiteCase: SuiteFormat.suiteCase
    case .casesFile: SuiteFormat.casesFile
    case .promptSet: SuiteFormat.promptSet
    case .promptSetPart: SuiteFormat.promptSetPart
    case .assertion, .elementAssertion: SuiteFormat.assertion
    case .check(let kind): kind.table
    }
  }
}
