// Re-exports everything that tests need to define suites: all of `GuidedGeneration` and
// `SuiteRanges`, but only individual types from other modules. The other modules also contain names
// that a test file already uses, such as `SourceLocation` and `Suite`.

@_exported public import GuidedGeneration
@_exported public import SuiteRanges

@_exported public import enum EvalSessions.EvalBackends
@_exported public import struct EvalSuites.CustomAssertion
@_exported public import struct EvalSuites.SuiteAssertion
@_exported public import struct EvalSuites.SwiftCase
@_exported public import struct EvalSuites.SwiftSuite
@_exported public import enum StructuredText.JSONValue
