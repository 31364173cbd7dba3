// Re-exports everything that a program needs to define its own suites. Apart from
// `GuidedGeneration`, only individual names are exported, because the other modules also contain
// names that a file may already use, such as `SourceLocation` and `Suite`.

@_exported public import GuidedGeneration

@_exported public import enum EvalSessions.EvalBackends
@_exported public import struct EvalSuites.CustomAssertion
@_exported public import struct EvalSuites.SuiteAssertion
@_exported public import struct EvalSuites.SwiftCase
@_exported public import struct EvalSuites.SwiftSuite
@_exported public import enum StructuredText.JSONValue
