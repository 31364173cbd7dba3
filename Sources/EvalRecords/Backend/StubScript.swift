import StructuredText

/// The stub backend's answers to a test case.
public struct StubScript: Sendable, Hashable {
  /// The rule that decides which entry a repeat gets.
  public enum Choice: Sendable, Hashable {
    /// Repeat r takes entry r, starting over after the last entry.
    case sequence
    /// Each repeat draws an entry by weight, using its seed.
    case weighted
  }

  /// One possible answer.
  public struct Entry: Sendable, Hashable {
    /// The weight of the entry in a weighted choice.
    public var weight: Double
    /// The value of the answer, which the stub writes as compact JSON, or `nil` for an empty
    /// answer.
    public var content: JSONValue?
    /// The fault to simulate, or `nil` for a complete answer.
    public var fault: Fault?

    /// Creates an entry.
    public init(weight: Double = 1, content: JSONValue? = nil, fault: Fault? = nil) {
      self.weight = weight
      self.content = content
      self.fault = fault
    }
  }

  /// A fault that the stub can simulate.
  public enum Fault: String, Sendable, Hashable, CaseIterable {
    /// The stub declines to answer.
    case refusal
    /// The answer is cut off in the middle, as at the token limit.
    case truncation
    /// The answer is not valid JSON.
    case malformed
    /// No answer comes within the time limit.
    case timeout
    /// The backend fails without an answer.
    case error
  }

  /// The rule that decides which entry a repeat gets.
  public var choice: Choice
  /// The possible answers, at least one.
  public var entries: [Entry]
  /// The duration of an answer in milliseconds.
  public var latency: Double

  /// Creates a script.
  public init(choice: Choice, entries: [Entry], latency: Double = 0) {
    self.choice = choice
    self.entries = entries
    self.latency = latency
  }
}
