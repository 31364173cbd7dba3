// An app's file that imports only FoundationModels may use `@Observable` too.
@_exported import GuidedGeneration
@_exported import Observation
