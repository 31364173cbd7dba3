/// The reason why an evaluation or a query of stored results failed.
package struct SessionFailure: Error, Sendable, Equatable {
  /// The kinds of failures that callers distinguish.
  package enum Kind: Sendable, Hashable {
    /// A suite, a file, a name or a combination of options is wrong, or two things are not
    /// comparable.
    case usage
    /// No attempt could run, or a database or report could not be read or written.
    case cannotRun
    /// Nothing was selected.
    case nothingSelected
    /// A signal stopped the run, and its results could not be stored in time.
    case interrupted
  }

  /// The kind of failure.
  package let kind: Kind
  /// One message for each problem.
  package let messages: [String]

  /// Creates a failure with one message.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    messages = [message]
  }

  /// Creates a failure with several messages.
  package init(_ kind: Kind, _ messages: [String]) {
    self.kind = kind
    self.messages = messages
  }
}
