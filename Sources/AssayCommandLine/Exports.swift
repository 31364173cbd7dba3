// Re-exports everything that a program needs to define suites: all of `GuidedGeneration` and
// `SuiteRanges`, but only individual types of other modules. The other modules also contain names
// that a program may already use, such as `SourceLocation` and `Suite`.

@_exported public import GuidedGeneration
@_exported public import SuiteRanges

@_exported public import enum EvalSessions.EvalBackends
@_exported public import struct EvalSuites.CustomAssertion
@_exported public import struct EvalSuites.SuiteAssertion
@_exported public import struct EvalSuites.SwiftCase
@_exported public import struct EvalSuites.SwiftSuite
@_exported public import enum StructuredText.JSONValue
