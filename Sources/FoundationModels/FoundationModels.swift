// An app's files that import FoundationModels alone use `@Observable` as well.
@_exported import GuidedGeneration
@_exported import Observation
