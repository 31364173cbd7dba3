// With this export, a file that imports only FoundationModels can use `@Observable` too.
@_exported import GuidedGeneration
@_exported import LanguageModelSessions
@_exported import Observation
