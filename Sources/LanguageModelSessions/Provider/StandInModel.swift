import Synchronization
public import SystemBasics

/// A model that reports its context size and its languages, and can count tokens.
///
/// Apple's system model provides these facts. A model that replaces it can provide them too by
/// conforming to this protocol. Apple's framework has no such protocol.
public protocol DescribedLanguageModel: LanguageModel {
  /// The model's name, or `nil` if it is unknown.
  var modelName: String? { get }

  /// The maximum number of tokens in a conversation.
  var contextSize: Int { get }

  /// The languages that the model supports, or `nil` if they are unknown.
  var supportedLanguages: Set<Locale.Language>? { get }

  /// Returns the number of tokens in a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: The number of tokens.
  /// - Throws: An error if the model can't count the tokens.
  func tokenCount(of text: String) async throws -> Int
}

extension DescribedLanguageModel {
  /// The model's name; unknown by default.
  public var modelName: String? { nil }

  /// The languages that the model supports; unknown by default.
  public var supportedLanguages: Set<Locale.Language>? { nil }
}

/// The model that replaces one of Apple's models in every session of the process.
final class StandInModel: Sendable {
  private let provided = Mutex<ModelRunner?>(nil)

  func provide(_ model: (any LanguageModel)?) {
    let runner = model.map { ModelRunner($0) }
    provided.withLock { $0 = runner }
  }

  var runner: ModelRunner? { provided.withLock { $0 } }

  private var described: (any DescribedLanguageModel)? {
    runner?.model as? any DescribedLanguageModel
  }

  var contextSize: Int? { described?.contextSize }

  /// The name of the registered model or, if it doesn't state its name, of its type.
  var name: String? {
    runner.map { runner in described?.modelName ?? String(describing: type(of: runner.model)) }
  }

  /// The languages of the registered model: none if no model is registered, and all languages with
  /// a code of two letters if the model doesn't list its languages.
  var languages: Set<Locale.Language> {
    guard let runner else { return [] }
    let described = runner.model as? any DescribedLanguageModel
    return described?.supportedLanguages
      ?? Set(LanguageCodes.all.map { Locale.Language(languageCode: Locale.LanguageCode($0)) })
  }

  func supports(_ locale: Locale) -> Bool {
    guard let runner else { return false }
    guard let known = (runner.model as? any DescribedLanguageModel)?.supportedLanguages else {
      return true
    }
    let code = locale.language.code
    return known.contains { $0.code == code }
  }

  func tokenCount(of texts: [String]) async throws -> Int {
    guard let described else {
      throw SystemLanguageModel.Error.assetsUnavailable(
        .init(debugDescription: "No model here can count tokens; \(Self.advice)"))
    }
    var count = 0
    for text in texts { count += try await described.tokenCount(of: text) }
    return count
  }

  static let advice = "register one with SystemLanguageModel.provide."
}
