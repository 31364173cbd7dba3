// On Apple's systems, the product `FoundationModels` is the framework of the SDK. So an app's
// manifest can name the product on every system. On Linux, this target doesn't exist.
#if canImport(FoundationModels)
  @_exported import FoundationModels
#endif
