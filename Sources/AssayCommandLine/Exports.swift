// What a program with suites of its own writes down comes with this module. Single names, because
// whole modules bring others that a test file has already, such as `SourceLocation` and `Suite`.

@_exported public import GuidedGeneration

@_exported public import enum EvalSessions.EvalBackends
@_exported public import struct EvalSuites.CustomAssertion
@_exported public import struct EvalSuites.SuiteAssertion
@_exported public import struct EvalSuites.SwiftCase
@_exported public import struct EvalSuites.SwiftSuite
@_exported public import enum StructuredText.JSONValue
