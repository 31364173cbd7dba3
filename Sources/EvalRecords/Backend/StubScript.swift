import StructuredText

/// What the stub backend answers to a case.
public struct StubScript: Sendable, Hashable {
  /// How a repeat picks its answer.
  public enum Choice: Sendable, Hashable {
    /// Repeat r takes entry r, from the start again after the last.
    case sequence
    /// Each repeat draws an entry by weight, under its seed.
    case weighted
  }

  /// One possible answer.
  public struct Entry: Sendable, Hashable {
    /// The weight of the entry in a weighted choice.
    public var weight: Double
    /// The value to answer with; written as compact JSON.
    public var content: JSONValue?
    /// The fault to show instead.
    public var fault: Fault?

    /// Creates an entry.
    public init(weight: Double = 1, content: JSONValue? = nil, fault: Fault? = nil) {
      self.weight = weight
      self.content = content
      self.fault = fault
    }
  }

  /// What can go wrong on request.
  public enum Fault: String, Sendable, Hashable, CaseIterable {
    case refusal
    case truncation
    case malformed
    case timeout
    case error
  }

  /// How a repeat picks its entry.
  public var choice: Choice
  /// The possible answers; at least one.
  public var entries: [Entry]
  /// How long an answer takes, in milliseconds.
  public var latency: Double

  /// Creates a script.
  public init(choice: Choice, entries: [Entry], latency: Double = 0) {
    self.choice = choice
    self.entries = entries
    self.latency = latency
  }
}
