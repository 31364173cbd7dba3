// The types that tests with their own suites use. They are exported one by one, because whole
// modules would also export names that a test file already has, such as `SourceLocation` and
// `Suite`.

@_exported public import GuidedGeneration

@_exported public import enum EvalSessions.EvalBackends
@_exported public import struct EvalSuites.CustomAssertion
@_exported public import struct EvalSuites.SuiteAssertion
@_exported public import struct EvalSuites.SwiftCase
@_exported public import struct EvalSuites.SwiftSuite
@_exported public import enum StructuredText.JSONValue
