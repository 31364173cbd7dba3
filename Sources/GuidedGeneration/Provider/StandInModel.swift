public import Foundation
import Synchronization

/// A model that knows its tokens, its context and its languages.
///
/// Apple's system model tells them; a model that stands for it tells them by this protocol.
public protocol DescribedLanguageModel: LanguageModel {
  /// The maximum number of tokens in a conversation.
  var contextSize: Int { get }

  /// The languages that the model knows; nil if nobody has said.
  var supportedLanguages: Set<Locale.Language>? { get }

  /// Counts the tokens of a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: How many tokens it is.
  /// - Throws: Where the model cannot be asked.
  func tokenCount(of text: String) async throws -> Int
}

extension DescribedLanguageModel {
  /// Nobody has said.
  public var supportedLanguages: Set<Locale.Language>? { nil }
}

/// A model that stands for one of Apple's, in every session of the process.
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

  /// The languages of the model; all there are, where the model does not say.
  var languages: Set<Locale.Language> {
    guard let runner else { return [] }
    let described = runner.model as? any DescribedLanguageModel
    return described?.supportedLanguages
      ?? Set(Locale.LanguageCode.isoLanguageCodes.map { Locale.Language(languageCode: $0) })
  }

  func supports(_ locale: Locale) -> Bool {
    guard let runner else { return false }
    guard let known = (runner.model as? any DescribedLanguageModel)?.supportedLanguages else {
      return true
    }
    return known.contains { $0.languageCode == locale.language.languageCode }
  }

  func tokenCount(of texts: [String]) async throws -> Int {
    guard let described else {
      throw SystemLanguageModel.Error.assetsUnavailable(
        .init(debugDescription: "No model counts tokens here: \(Self.advice)"))
    }
    var count = 0
    for text in texts { count += try await described.tokenCount(of: text) }
    return count
  }

  static let advice = "name one with SystemLanguageModel.provide."
}
