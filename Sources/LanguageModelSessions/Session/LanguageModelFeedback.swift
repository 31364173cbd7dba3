import GuidedGeneration
import StructuredText
public import SystemBasics

/// A namespace for the types that describe feedback about an answer.
public struct LanguageModelFeedback {
  /// Whether the answer was good.
  public enum Sentiment: Sendable, CaseIterable {
    /// The answer was good.
    case positive
    /// The answer was bad.
    case negative
    /// The answer was neither good nor bad.
    case neutral
  }

  /// A problem with an answer.
  public struct Issue: Sendable {
    /// The kind of problem.
    public enum Category: Sendable, CaseIterable {
      /// The answer doesn't help.
      case unhelpful
      /// The answer is too long.
      case tooVerbose
      /// The answer doesn't follow the instructions.
      case didNotFollowInstructions
      /// The answer is wrong.
      case incorrect
      /// The answer contains a stereotype or is biased.
      case stereotypeOrBias
      /// The answer is suggestive or sexual.
      case suggestiveOrSexual
      /// The answer is vulgar or offensive.
      case vulgarOrOffensive
      /// The guardrails blocked the answer for no good reason.
      case triggeredGuardrailUnexpectedly
    }

    let category: Category
    let explanation: String?

    /// Creates an issue.
    ///
    /// - Parameters:
    ///   - category: The kind of the problem.
    ///   - explanation: More details about the problem.
    public init(category: Category, explanation: String? = nil) {
      self.category = category
      self.explanation = explanation
    }
  }
}

extension LanguageModelSession {
  /// Creates a JSON document with feedback and the conversation.
  ///
  /// Unlike Apple's version, this method sends and stores nothing.
  ///
  /// ```
  /// {"sentiment": "negative", "issues": [{"category": "incorrect", "explanation": "…"}],
  ///  "transcript": {…}, "desiredOutput": {…}}
  /// ```
  ///
  /// - Parameters:
  ///   - sentiment: Whether the answer was good, or `nil` to leave the sentiment out.
  ///   - issues: The problems with the answer.
  ///   - desiredOutput: The desired answer as a transcript entry, or `nil` to leave it out.
  /// - Returns: The document as UTF-8.
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

  /// Creates a JSON document with feedback, the conversation and the desired text.
  ///
  /// Unlike Apple's version, this method sends and stores nothing.
  ///
  /// - Parameters:
  ///   - sentiment: Whether the answer was good, or `nil` to leave the sentiment out.
  ///   - issues: The problems with the answer.
  ///   - desiredResponseText: The desired answer, or `nil` to leave it out.
  /// - Returns: The document as UTF-8.
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

  /// Creates a JSON document with feedback, the conversation and the desired value.
  ///
  /// Unlike Apple's version, this method sends and stores nothing.
  ///
  /// - Parameters:
  ///   - sentiment: Whether the answer was good, or `nil` to leave the sentiment out.
  ///   - issues: The problems with the answer.
  ///   - desiredResponseContent: The desired answer, or `nil` to leave it out.
  /// - Returns: The document as UTF-8.
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
