// Re-exports the types that tests with their own suites use. Apart from `GuidedGeneration`, only
// individual names are exported, because the other modules also contain names that a test file
// already uses, such as `SourceLocation` and `Suite`.

@_exported public import GuidedGeneration

@_exported public import enum EvalSessions.EvalBackends
@_exported public import struct EvalSuites.CustomAssertion
@_exported public import struct EvalSuites.SuiteAssertion
@_exported public import struct EvalSuites.SwiftCase
@_exported public import struct EvalSuites.SwiftSuite
@_exported public import enum StructuredText.JSONValue
