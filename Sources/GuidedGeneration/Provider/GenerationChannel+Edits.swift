public import Foundation

extension LanguageModelExecutorGenerationChannel {
  /// An edit of a response or of a reasoning.
  enum EntryEdit: Sendable {
    case append(String, segmentID: String?)
    case replace(String, segmentID: String?)
    case add(Transcript.AttachmentSegment)
    case update(any Transcript.CustomSegment)
    case remove(segmentID: String)
    case signature(Data)
    case metadata(MetadataValues)
    case usage(Usage)
  }

  /// An edit of a call of a tool.
  enum CallEdit: Sendable {
    case arguments(String)
    case metadata(MetadataValues)
  }

  /// The edits of a response.
  public struct Response: Sendable {
    /// An edit of a response.
    public struct Action: Sendable {
      let edit: EntryEdit

      /// Adds text to the end of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment; nil means the last one.
      ///   - tokenCount: The number of tokens in the text.
      public static func appendText(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .append(text, segmentID: segmentID))
      }

      /// Replaces the text of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment; nil means the last one.
      ///   - tokenCount: The number of tokens in the text.
      public static func replaceTextSegment(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .replace(text, segmentID: segmentID))
      }

      /// Adds a segment of the provider's own type, or replaces the one that has the same `id`.
      ///
      /// - Parameter segment: The segment.
      public static func updateCustomSegment(_ segment: any Transcript.CustomSegment) -> Action {
        Action(edit: .update(segment))
      }

      /// Adds an attachment.
      ///
      /// - Parameter segment: The attachment.
      public static func addAttachmentSegment(_ segment: Transcript.AttachmentSegment) -> Action {
        Action(edit: .add(segment))
      }

      /// Takes an attachment back.
      ///
      /// - Parameter id: The identifier of the attachment.
      public static func removeAttachmentSegment(id: String) -> Action {
        Action(edit: .remove(segmentID: id))
      }

      /// Says something of the response.
      ///
      /// - Parameter values: The metadata.
      public static func updateMetadata(
        _ values: [String: any Sendable & Codable & Equatable]
      ) -> Action {
        Action(edit: .metadata(values))
      }

      /// Reports the number of tokens read and written.
      ///
      /// - Parameters:
      ///   - input: The tokens that were read.
      ///   - output: The tokens that were written.
      ///   - metadata: Further facts from the provider.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output,
        metadata: [String: any Sendable & Codable & Equatable] = [:]
      ) -> Action {
        Action(edit: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }
  }

  /// The edits of a reasoning.
  public struct Reasoning: Sendable {
    /// An edit of a reasoning.
    public struct Action: Sendable {
      let edit: EntryEdit

      /// Adds text to the end of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment; nil means the last one.
      ///   - tokenCount: The number of tokens in the text.
      public static func appendText(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .append(text, segmentID: segmentID))
      }

      /// Replaces the text of a segment.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The segment; nil means the last one.
      ///   - tokenCount: The number of tokens in the text.
      public static func replaceTextSegment(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(edit: .replace(text, segmentID: segmentID))
      }

      /// Signs the reasoning, so that the model's provider can check it later.
      ///
      /// - Parameters:
      ///   - signature: The signature.
      ///   - tokenCount: The number of tokens.
      public static func updateSignature(_ signature: Data, tokenCount: Int) -> Action {
        Action(edit: .signature(signature))
      }

      /// Says something of the reasoning.
      ///
      /// - Parameter values: The metadata.
      public static func updateMetadata(
        _ values: [String: any Sendable & Codable & Equatable]
      ) -> Action {
        Action(edit: .metadata(values))
      }

      /// Reports the number of tokens read and written.
      ///
      /// - Parameters:
      ///   - input: The tokens that were read.
      ///   - output: The tokens that were written.
      ///   - metadata: Further facts from the provider.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output,
        metadata: [String: any Sendable & Codable & Equatable] = [:]
      ) -> Action {
        Action(edit: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }
  }

  /// The edits of the calls of tools.
  public struct ToolCalls: Sendable {
    /// An edit of the calls of tools.
    public struct Action: Sendable {
      enum Edit: Sendable {
        case call(id: String, name: String, ToolCall.Action)
        case remove(id: String)
        case metadata(MetadataValues)
        case usage(Usage)
      }

      let edit: Edit

      /// Begins a call or goes on with it.
      ///
      /// - Parameters:
      ///   - id: The identifier of the call.
      ///   - name: The name of the tool.
      ///   - action: What is added to it.
      public static func toolCall(id: String, name: String, action: ToolCall.Action) -> Action {
        Action(edit: .call(id: id, name: name, action))
      }

      /// Takes a call back.
      ///
      /// - Parameter id: The identifier of the call.
      public static func removeToolCall(id: String) -> Action { Action(edit: .remove(id: id)) }

      /// Says something of all calls together; the transcript has no place for it.
      ///
      /// - Parameter values: The metadata.
      public static func updateMetadata(
        _ values: [String: any Sendable & Codable & Equatable]
      ) -> Action {
        Action(edit: .metadata(values))
      }

      /// Reports the number of tokens read and written.
      ///
      /// - Parameters:
      ///   - input: The tokens that were read.
      ///   - output: The tokens that were written.
      ///   - metadata: Further facts from the provider.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output,
        metadata: [String: any Sendable & Codable & Equatable] = [:]
      ) -> Action {
        Action(edit: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }

    /// A call of a tool.
    public struct ToolCall: Sendable {
      /// What is added to a call.
      public struct Action: Sendable {
        let edit: CallEdit

        /// Adds to the JSON text of the arguments.
        ///
        /// - Parameters:
        ///   - content: The text.
        ///   - tokenCount: The number of tokens.
        public static func appendArguments(_ content: String, tokenCount: Int) -> Action {
          Action(edit: .arguments(content))
        }

        /// Says something of the call.
        ///
        /// - Parameter values: The metadata.
        public static func updateMetadata(
          _ values: [String: any Sendable & Codable & Equatable]
        ) -> Action {
          Action(edit: .metadata(values))
        }
      }
    }
  }
}
