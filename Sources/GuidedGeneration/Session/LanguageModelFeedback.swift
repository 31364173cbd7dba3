public import Foundation
import StructuredText

/// What somebody thinks of an answer.
public struct LanguageModelFeedback {
  /// Whether it was good.
  public enum Sentiment: Sendable, CaseIterable {
    case positive
    case negative
    case neutral
  }

  /// What was wrong with it.
  public struct Issue: Sendable {
    /// The kind of what was wrong.
    public enum Category: Sendable, CaseIterable {
      case unhelpful
      case tooVerbose
      case didNotFollowInstructions
      case incorrect
      case stereotypeOrBias
      case suggestiveOrSexual
      case vulgarOrOffensive
      case triggeredGuardrailUnexpectedly
    }

    let category: Category
    let explanation: String?

    /// Creates an issue.
    ///
    /// - Parameters:
    ///   - category: The kind of what was wrong.
    ///   - explanation: More about it.
    public init(category: Category, explanation: String? = nil) {
      self.category = category
      self.explanation = explanation
    }
  }
}

extension LanguageModelSession {
  /// Writes what somebody thinks of the conversation, with the conversation, as JSON.
  ///
  /// ```
  /// {"sentiment": "negative", "issues": [{"category": "incorrect", "explanation": "…"}],
  ///  "transcript": {…}, "desiredOutput": {…}}
  /// ```
  ///
  /// - Parameters:
  ///   - sentiment: Whether the answer was good.
  ///   - issues: The problems with the answer.
  ///   - desiredOutput: The desired answer.
  /// - Returns: The document. Unlike Apple's version, nothing is sent or stored.
  @discardableResult
  public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredOutput: Transcript.Entry? = nil
  ) -> Data {
    var json: JSONObject = [:]
    json["sentiment"] = sentiment.map { .string("\($0)") }
    json["issues"] = .array(
      issues.map { issue in
        var json: JSONObject = ["category": .string("\(issue.category)")]
        json["explanation"] = issue.explanation.map { .string($0) }
        return .object(json)
      })
    json["transcript"] = transcript.json
    json["desiredOutput"] = desiredOutput.map { Transcript(entries: [$0]).json }
    return Data(JSONTextWriter.text(of: .object(json), style: .spaced).utf8)
  }

  /// Writes what somebody thinks of the conversation, and which text was desired.
  ///
  /// - Parameters:
  ///   - sentiment: Whether the answer was good.
  ///   - issues: The problems with the answer.
  ///   - desiredResponseText: The desired answer.
  /// - Returns: The document. Unlike Apple's version, nothing is sent or stored.
  @discardableResult
  public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredResponseText: String?
  ) -> Data {
    logFeedbackAttachment(
      sentiment: sentiment, issues: issues,
      desiredOutput: desiredResponseText.map { text in
        .response(.init(segments: [.text(.init(content: text))]))
      })
  }

  /// Writes what somebody thinks of the conversation, and which value was desired.
  ///
  /// - Parameters:
  ///   - sentiment: Whether the answer was good.
  ///   - issues: The problems with the answer.
  ///   - desiredResponseContent: The desired answer.
  /// - Returns: The document. Unlike Apple's version, nothing is sent or stored.
  @discardableResult
  public func logFeedbackAttachment(
    sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
    desiredResponseContent: (any ConvertibleToGeneratedContent)?
  ) -> Data {
    logFeedbackAttachment(
      sentiment: sentiment, issues: issues,
      desiredOutput: desiredResponseContent.map { value in
        let segment = Transcript.StructuredSegment(
          source: "\(type(of: value))", content: value.generatedContent)
        return .response(.init(segments: [.structure(segment)]))
      })
  }
}
