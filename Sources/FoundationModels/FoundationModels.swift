@_exported import GuidedGeneration
