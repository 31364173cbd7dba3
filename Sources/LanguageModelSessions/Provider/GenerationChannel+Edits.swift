import GuidedGeneration
public import SystemBasics

extension LanguageModelExecutorGenerationChannel {
  /// An edit of a response or a reasoning entry.
  enum EntryEdit: Sendable {
    case append(TextFragment)
    case replace(TextSegmentReplacement)
    case add(Transcript.AttachmentSegment)
    case update(any Transcript.CustomSegment)
    case remove(segmentID: String)
    case signature(ReasoningSignature)
    case metadata(Metadata)
    case usage(Usage)
  }

  /// An edit of a tool call.
  enum CallEdit: Sendable {
    case arguments(ToolCalls.ToolCall.ArgumentsFragment)
    case metadata(Metadata)
  }

  /// The edits that an executor can make to the response.
  public struct Response: Sendable {
    /// The new identifier of the transcript entry, or `nil` to keep the current identifier.
    public var entryID: String?
    /// The edit.
    public var action: Action

    /// One edit of a response.
    public struct Action: Sendable {
      let edit: EntryEdit

      /// Appends text to a segment, or begins a segment if there is none.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The identifier of the segment, or `nil` for the last text segment.
      ///   - tokenCount: The number of tokens in the text; not used here.
      /// - Returns: The edit.
      public static func appendText(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(
          edit: .append(
            TextFragment(content: text, segmentID: segmentID, tokenCount: tokenCount)))
      }

      /// Replaces the text of a segment, or begins a segment if there is none.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The identifier of the segment, or `nil` for the last text segment.
      ///   - tokenCount: The number of tokens in the text; not used here.
      /// - Returns: The edit.
      public static func replaceTextSegment(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(
          edit: .replace(
            TextSegmentReplacement(
              content: text, segmentID: segmentID, tokenCount: tokenCount)))
      }

      /// Adds a segment of the provider's own type, or replaces the segment with the same `id`.
      ///
      /// Apple's framework has this edit only in the first versions of OS 27.
      ///
      /// - Parameter segment: The segment.
      /// - Returns: The edit.
      public static func updateCustomSegment(_ segment: any Transcript.CustomSegment) -> Action {
        Action(edit: .update(segment))
      }

      /// Adds an attachment.
      ///
      /// - Parameter segment: The attachment.
      /// - Returns: The edit.
      public static func addAttachmentSegment(_ segment: Transcript.AttachmentSegment) -> Action {
        Action(edit: .add(segment))
      }

      /// Removes an attachment.
      ///
      /// - Parameter id: The identifier of the attachment.
      /// - Returns: The edit.
      public static func removeAttachmentSegment(id: String) -> Action {
        Action(edit: .remove(segmentID: id))
      }

      /// Sets metadata on the response.
      ///
      /// - Parameter values: The metadata, which replaces all earlier metadata.
      /// - Returns: The edit.
      public static func updateMetadata(
        _ values: [String: any ConvertibleToGeneratedContent]
      ) -> Action {
        Action(edit: .metadata(Metadata(values: values.contents)))
      }

      /// Reports how many tokens the model has read and written for this answer.
      ///
      /// A later report replaces an earlier one.
      ///
      /// - Parameters:
      ///   - input: The tokens that the model has read.
      ///   - output: The tokens that the model has written.
      ///   - metadata: Additional information from the executor.
      /// - Returns: The edit.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output,
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
      ) -> Action {
        Action(edit: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }
  }

  /// The edits that an executor can make to the reasoning entry.
  public struct Reasoning: Sendable {
    /// The new identifier of the transcript entry, or `nil` to keep the current identifier.
    public var entryID: String?
    /// The edit.
    public var action: Action

    /// One edit of a reasoning entry.
    public struct Action: Sendable {
      let edit: EntryEdit

      /// Appends text to a segment, or begins a segment if there is none.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The identifier of the segment, or `nil` for the last text segment.
      ///   - tokenCount: The number of tokens in the text; not used here.
      /// - Returns: The edit.
      public static func appendText(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(
          edit: .append(
            TextFragment(content: text, segmentID: segmentID, tokenCount: tokenCount)))
      }

      /// Replaces the text of a segment, or begins a segment if there is none.
      ///
      /// - Parameters:
      ///   - text: The text.
      ///   - segmentID: The identifier of the segment, or `nil` for the last text segment.
      ///   - tokenCount: The number of tokens in the text; not used here.
      /// - Returns: The edit.
      public static func replaceTextSegment(
        _ text: String, segmentID: String? = nil, tokenCount: Int
      ) -> Action {
        Action(
          edit: .replace(
            TextSegmentReplacement(
              content: text, segmentID: segmentID, tokenCount: tokenCount)))
      }

      /// Signs the reasoning entry, so that the provider can verify it later.
      ///
      /// - Parameters:
      ///   - signature: The signature.
      ///   - tokenCount: The number of tokens in the signature; not used here.
      /// - Returns: The edit.
      public static func updateSignature(
        _ signature: Data, tokenCount: Int
      ) -> Action {
        Action(
          edit: .signature(ReasoningSignature(signature: signature, tokenCount: tokenCount)))
      }

      /// Sets metadata on the reasoning entry.
      ///
      /// - Parameter values: The metadata, which replaces all earlier metadata.
      /// - Returns: The edit.
      public static func updateMetadata(
        _ values: [String: any ConvertibleToGeneratedContent]
      ) -> Action {
        Action(edit: .metadata(Metadata(values: values.contents)))
      }

      /// Reports how many tokens the model has read and written for this answer.
      ///
      /// A later report replaces an earlier one.
      ///
      /// - Parameters:
      ///   - input: The tokens that the model has read.
      ///   - output: The tokens that the model has written.
      ///   - metadata: Additional information from the executor.
      /// - Returns: The edit.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output,
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
      ) -> Action {
        Action(edit: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }
  }

  /// The edits that an executor can make to the tool calls.
  public struct ToolCalls: Sendable {
    /// The new identifier of the transcript entry, or `nil` to keep the current identifier.
    public var entryID: String?
    /// The edit.
    public var action: Action

    /// One edit of tool calls.
    public struct Action: Sendable {
      enum Edit: Sendable {
        case call(ToolCall)
        case remove(id: String)
        case metadata(Metadata)
        case usage(Usage)
      }

      let edit: Edit

      /// Begins or continues a tool call.
      ///
      /// - Parameters:
      ///   - id: The identifier of the call.
      ///   - name: The name of the tool.
      ///   - action: The edit to apply to the call.
      /// - Returns: The edit.
      public static func toolCall(id: String, name: String, action: ToolCall.Action) -> Action {
        Action(edit: .call(ToolCall(id: id, name: name, action: action)))
      }

      /// Removes a tool call.
      ///
      /// - Parameter id: The identifier of the call.
      /// - Returns: The edit.
      public static func removeToolCall(id: String) -> Action { Action(edit: .remove(id: id)) }

      /// Sets metadata on the group of all tool calls.
      ///
      /// The session drops the metadata, because the transcript has no place for it.
      ///
      /// - Parameter values: The metadata.
      /// - Returns: The edit.
      public static func updateMetadata(
        _ values: [String: any ConvertibleToGeneratedContent]
      ) -> Action {
        Action(edit: .metadata(Metadata(values: values.contents)))
      }

      /// Reports how many tokens the model has read and written for this answer.
      ///
      /// A later report replaces an earlier one.
      ///
      /// - Parameters:
      ///   - input: The tokens that the model has read.
      ///   - output: The tokens that the model has written.
      ///   - metadata: Additional information from the executor.
      /// - Returns: The edit.
      public static func updateUsage(
        input: Usage.Input, output: Usage.Output,
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
      ) -> Action {
        Action(edit: .usage(Usage(input: input, output: output, metadata: metadata)))
      }
    }

    /// The edits that an executor can make to one tool call.
    public struct ToolCall: Sendable {
      /// The identifier of the call.
      public var id: String
      /// The name of the tool.
      public var name: String
      /// The edit of the call.
      public var action: Action

      /// A piece of the JSON text of a call's arguments.
      public struct ArgumentsFragment: Sendable {
        /// The text.
        public var content: String
        /// The number of tokens in the text.
        public var tokenCount: Int
      }

      /// One edit of a tool call.
      public struct Action: Sendable {
        let edit: CallEdit

        /// Appends to the JSON text of the arguments.
        ///
        /// - Parameters:
        ///   - content: The text to append.
        ///   - tokenCount: The number of tokens in the text; not used here.
        /// - Returns: The edit.
        public static func appendArguments(_ content: String, tokenCount: Int) -> Action {
          Action(
            edit: .arguments(ArgumentsFragment(content: content, tokenCount: tokenCount)))
        }

        /// Sets metadata on the tool call.
        ///
        /// - Parameter values: The metadata, which replaces all earlier metadata.
        /// - Returns: The edit.
        public static func updateMetadata(
          _ values: [String: any ConvertibleToGeneratedContent]
        ) -> Action {
          Action(edit: .metadata(Metadata(values: values.contents)))
        }
      }
    }
  }
}
