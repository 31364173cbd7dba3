public import Foundation

// On Apple's systems, `NSError` names these errors after Apple's framework, and apps log or compare
// the names. Without the domains below, they would have the name of this module.

extension LanguageModelError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelError" }
}

extension LanguageModelSession.Error: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelSession.Error" }
}

extension LanguageModelSession.GenerationError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelSession.GenerationError" }
}

extension LanguageModelSession.ToolCallError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelSession.ToolCallError" }
}

extension GeneratedContent.ParsingError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.GeneratedContent.ParsingError" }
}

extension GenerationSchema.SchemaError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.GenerationSchema.SchemaError" }
}

extension SystemLanguageModel.Error: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.SystemLanguageModel.Error" }
}

extension PrivateCloudComputeLanguageModel.Error: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String {
    "FoundationModels.PrivateCloudComputeLanguageModel.Error"
  }
}
