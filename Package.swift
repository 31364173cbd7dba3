// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// Whether the fuzzer is built (`scripts/check/fuzz`): it counts the branches of what it calls.
let isFuzzing = Context.environment["ASSAY_FUZZ"] != nil
let counted: [SwiftSetting] =
  isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])] : []

/// Whether tests evaluate a real model (`.ci/run`): in a debug build, only optimized kernels are
/// fast enough for that.
let usesRealWeights = Context.environment["ASSAY_REAL_WEIGHTS"] != nil
let kernelSettings: [CSetting] = usesRealWeights ? [.unsafeFlags(["-O2"])] : []

/// Whether a release build optimizes only the busy modules (`scripts/evals` and `scripts/assay`).
///
/// This halves the time of the build. Runs and comparisons spend nearly all of their time in these
/// modules.
let buildsQuickly = Context.environment["ASSAY_QUICK_BUILD"] != nil
let busyModules: Set = [
  "Backends", "ConstrainedDecoding", "EvalStatistics", "LocalModels", "Patterns", "StructuredText",
  "Tokenization",
]

/// Whether a release build makes all other modules small (`scripts/ci/packaging/build-program`).
let buildsSmall = Context.environment["ASSAY_SMALL_BUILD"] != nil

/// The modules that `scripts/test` optimizes in a debug build, because tests simulate whole
/// comparisons.
let simulatedModules: Set<String> =
  Context.environment["ASSAY_FAST_TESTS"] == nil ? [] : ["EvalStatistics"]

/// Every target is compiled with the same rules: explicit `any`, explicit imports, and no warnings
/// in debug builds. (A newer compiler may warn of more, so a release build doesn't stop at that.)
let rules: [SwiftSetting] = [
  .treatAllWarnings(as: .error, .when(configuration: .debug)),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The style sheets and scripts of the report pages, which become part of the program.
let pageFiles = [
  "theme.css", "page.css", "tables.css", "plots.css", "grids.css", "details.css", "changes.css",
  "screens.css",
  "start.js", "theme.js", "sorting.js", "grids.js", "attempts.js", "answers.js", "changes.js",
  "copy.js",
  "plots.js", "sharing.js", "dashboard.js",
  "keys.js", "paper.js",
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  var settings = rules
  if ["Patterns", "Tokenization", "ConstrainedDecoding"].contains(name) { settings += counted }
  if buildsQuickly, !busyModules.contains(name) {
    settings.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  } else if buildsSmall, !busyModules.contains(name) {
    settings.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
  }
  if simulatedModules.contains(name) {
    settings.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
  return .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// Returns a test target, whose tests may also use what the tests of several modules need.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: rules)
}

var targets: [Target] = [
  // Foundations
  library("SystemBasics"),
  .target(name: "CKernels", cSettings: kernelSettings),
  .target(name: "CDigest"),
  .target(
    name: "StructuredText", dependencies: ["CDigest", "SystemBasics"], swiftSettings: rules,
    linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
  library("Patterns"),
  .systemLibrary(
    name: "CSQLite", pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

  // Generation side
  library("MacroExpansion"),
  .macro(
    name: "GuidedGenerationMacros", dependencies: ["MacroExpansion"], swiftSettings: rules),
  library(
    "GuidedGeneration", ["Patterns", "StructuredText", "GuidedGenerationMacros", "SystemBasics"]),
  library(
    "LanguageModelSessions",
    ["GuidedGeneration", "GuidedGenerationMacros", "StructuredText", "SystemBasics"]),
  library("Tokenization"),
  library(
    "ConstrainedDecoding",
    ["CKernels", "GuidedGeneration", "Tokenization", "Patterns", "StructuredText"]),
  library("LocalModels", ["Tokenization", "CKernels", "SystemBasics"]),
  .target(name: "CTransport"),
  library("HTTPTransport", ["CTransport", "StructuredText", "SystemBasics"]),
  library(
    "Backends",
    [
      "GuidedGeneration", "LanguageModelSessions", "ConstrainedDecoding", "LocalModels",
      "Tokenization", "StructuredText", "EvalRecords", "HTTPTransport", "ModelServers",
      "SystemBasics",
    ]),

  // Evaluation side
  library("EvalRecords", ["StructuredText"]),
  library("SuiteRanges"),
  library(
    "EvalSuites",
    [
      "EvalRecords", "GuidedGeneration", "StructuredText", "Patterns", "SuiteRanges",
      "SystemBasics",
    ]),
  library("EvalStatistics", ["EvalRecords", "SystemBasics"]),
  library(
    "EvalRunner",
    ["EvalSuites", "EvalRecords", "EvalStatistics", "StructuredText", "SystemBasics"]),
  library("ResultStore", ["CSQLite", "EvalRecords", "StructuredText", "SystemBasics"]),
  library("EvalFindings", ["EvalRecords", "EvalStatistics", "StructuredText", "SystemBasics"]),
  library(
    "EvalReports",
    ["EvalFindings", "EvalRecords", "EvalStatistics", "StructuredText", "SystemBasics"],
    resources: pageFiles.map { .embedInCode("HTML/Assets/" + $0) }),

  // Served models
  library("ModelServers", ["HTTPTransport", "EvalRecords", "StructuredText", "SystemBasics"]),

  // The composition: running evaluations, and the two ways to start them
  library(
    "EvalSessions",
    [
      "Backends", "EvalFindings", "EvalRecords", "EvalReports", "EvalRunner", "EvalStatistics",
      "EvalSuites", "GuidedGeneration", "HTTPTransport", "LocalModels", "ModelServers",
      "ResultStore",
      "StructuredText", "SystemBasics",
    ]),
  library(
    "AssayCommandLine",
    [
      "Backends", "ConstrainedDecoding", "EvalFindings", "EvalRecords", "EvalReports", "EvalRunner",
      "EvalSessions", "EvalStatistics", "EvalSuites", "GuidedGeneration", "LocalModels",
      "ResultStore", "StructuredText", "SuiteRanges", "Tokenization", "SystemBasics",
    ]),
  library(
    "AssayTesting",
    [
      "EvalFindings", "EvalRecords", "EvalRunner", "EvalSessions", "EvalSuites",
      "GuidedGeneration", "StructuredText", "SuiteRanges",
    ]),
  .executableTarget(name: "assay", dependencies: ["AssayCommandLine"], swiftSettings: rules),
  .executableTarget(
    name: "assay-benchmark",
    dependencies: [
      "Backends", "ConstrainedDecoding", "EvalFindings", "EvalRecords", "EvalReports",
      "EvalStatistics", "GuidedGeneration", "LocalModels", "StructuredText", "Tokenization",
    ],
    swiftSettings: rules),

  // What the tests of several modules need: seeded numbers, temporary folders, waiting.
  .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: rules),
  tests("SystemBasicsTests", ["SystemBasics"]),
  tests("StructuredTextTests", ["CDigest", "StructuredText"]),
  tests("PatternsTests", ["Patterns", "GuidedGeneration"]),
  // Not of the plugin: with tests of a plugin, everything is built for the host as well.
  tests("MacroExpansionTests", ["MacroExpansion"]),
  tests("GuidedGenerationTests", ["GuidedGeneration", "StructuredText"]),
  tests(
    "LanguageModelSessionsTests", ["LanguageModelSessions", "GuidedGeneration", "StructuredText"]),
  tests("TokenizationTests", ["Tokenization"]),
  tests(
    "ConstrainedDecodingTests",
    ["ConstrainedDecoding", "CKernels", "GuidedGeneration", "Tokenization", "StructuredText"]),
  .testTarget(
    name: "LocalModelsTests",
    dependencies: ["LocalModels", "CKernels", "Tokenization", "TestSupport"],
    exclude: ["References"], swiftSettings: rules),
  // A server for tests, on this machine only.
  .target(name: "FaultServer", path: "Tests/FaultServer", swiftSettings: rules),
  tests("ModelServersTests", ["ModelServers", "HTTPTransport", "EvalRecords", "StructuredText"]),
  tests("HTTPTransportTests", ["HTTPTransport", "FaultServer", "StructuredText"]),
  tests(
    "BackendsTests",
    [
      "Backends", "ConstrainedDecoding", "EvalRecords", "FaultServer", "GuidedGeneration",
      "HTTPTransport", "LanguageModelSessions", "LocalModels", "ModelServers", "StructuredText",
      "Tokenization",
    ]),
  tests("EvalRecordsTests", ["EvalRecords", "StructuredText"]),
  tests("EvalSuitesTests", ["EvalSuites", "EvalRecords", "GuidedGeneration", "StructuredText"]),
  tests("EvalStatisticsTests", ["EvalStatistics", "EvalRecords", "StructuredText"]),
  tests("AssayBenchmarkTests", ["assay-benchmark", "EvalStatistics"]),
  tests("EvalRunnerTests", ["EvalRunner", "EvalSuites", "EvalRecords", "StructuredText"]),
  tests("ResultStoreTests", ["ResultStore", "EvalRecords", "StructuredText", "CSQLite"]),
  tests(
    "EvalReportsTests",
    ["EvalFindings", "EvalReports", "EvalStatistics", "EvalRecords", "StructuredText"]),
  tests(
    "EvalSessionsTests",
    [
      "EvalFindings", "EvalSessions", "EvalRecords", "EvalRunner", "EvalSuites", "LocalModels",
      "ResultStore", "StructuredText", "SystemBasics",
    ]),
  tests(
    "AssayCommandLineTests",
    [
      "AssayCommandLine", "CSQLite", "EvalFindings", "EvalRecords", "EvalReports", "EvalSessions",
      "EvalStatistics", "EvalSuites", "FaultServer", "GuidedGeneration", "ResultStore",
      "StructuredText",
    ]),
  tests(
    "AssayTestingTests",
    [
      "AssayTesting", "AssayCommandLine", "EvalRecords", "EvalSessions", "EvalSuites",
      "GuidedGeneration", "StructuredText",
    ]),
]

var products: [Product] = [
  .executable(name: "assay", targets: ["assay"]),
  .library(name: "GuidedGeneration", targets: ["GuidedGeneration"]),
  .library(name: "LanguageModelSessions", targets: ["LanguageModelSessions"]),
  .library(name: "Backends", targets: ["Backends"]),
  .library(name: "AssayCommandLine", targets: ["AssayCommandLine"]),
  .library(name: "AssayTesting", targets: ["AssayTesting"]),
]

if isFuzzing {
  targets.append(
    .executableTarget(
      name: "decoding-fuzzer",
      dependencies: ["ConstrainedDecoding", "GuidedGeneration", "StructuredText", "Tokenization"],
      path: "Tests/Fuzzing", exclude: ["json.dict"], swiftSettings: rules + counted,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}

// An app's manifest can name the product FoundationModels on every system: on Apple's systems, it
// is the SDK's framework, to which the module's name belongs there.
#if os(Linux)
  targets.append(library("FoundationModels", ["GuidedGeneration", "LanguageModelSessions"]))
  targets.append(
    tests(
      "FoundationModelsTests",
      ["FoundationModels", "Backends", "EvalRecords", "StructuredText"]))
  products.append(.library(name: "FoundationModels", targets: ["FoundationModels"]))
  // The example of a program that Assay evaluates, which a test runs.
  targets.append(
    .executableTarget(
      name: "tips-example", dependencies: ["Backends", "FoundationModels"],
      path: "docs/exec/swift", swiftSettings: rules))
#else
  targets.append(library("SystemFoundationModels"))
  products.append(.library(name: "FoundationModels", targets: ["SystemFoundationModels"]))
#endif

let package = Package(
  name: "assay",
  platforms: [.macOS(.v15)],
  products: products,
  targets: targets
)
