public import Foundation
public import GuidedGeneration
public import LanguageModelSessions

// On Apple's systems, `NSError` names these errors after Apple's framework, and apps log or compare
// the names. Without the domains below, they would have the name of this module.

/// Returns the texts of an error for `NSError`, which would otherwise have none on Linux.
private func userInfo(of error: some LocalizedError) -> [String: Any] {
  var texts: [String: Any] = [:]
  texts[NSLocalizedDescriptionKey] = error.errorDescription
  texts[NSLocalizedFailureReasonErrorKey] = error.failureReason
  texts[NSLocalizedRecoverySuggestionErrorKey] = error.recoverySuggestion
  return texts
}

extension LanguageModelError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelError" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension LanguageModelSession.Error: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelSession.Error" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension LanguageModelSession.GenerationError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelSession.GenerationError" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension LanguageModelSession.ToolCallError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.LanguageModelSession.ToolCallError" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension GeneratedContent.ParsingError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.GeneratedContent.ParsingError" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension GenerationSchema.SchemaError: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.GenerationSchema.SchemaError" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension SystemLanguageModel.Error: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String { "FoundationModels.SystemLanguageModel.Error" }
  /// The texts of the error.
  public var errorUserInfo: [String: Any] { userInfo(of: self) }
}

extension PrivateCloudComputeLanguageModel.Error: CustomNSError {
  /// The domain that the error has on Apple's systems.
  public static var errorDomain: String {
    "FoundationModels.PrivateCloudComputeLanguageModel.Error"
  }
}
