/// The processor time that a run spent in each phase, and the width of its batches over time.
public struct TimeProfile: Sendable, Hashable, Codable {
  /// A phase of a run.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Rendering prompts, splitting them into tokens, and compiling schemas.
    case preparation
    /// Evaluating the tokens of prompts with the model.
    case prompts
    /// Evaluating the tokens of answers with the model, including drafts.
    case answers
    /// Evaluating alternatives with the model, only for the probabilities of decisions.
    case alternatives
    /// Computing masks, and following the schema from token to token.
    case masks
    /// Turning logits into probabilities, and choosing tokens.
    case sampling
    /// Measuring decisions and format pressure, and recording steps.
    case decisions
    /// Collecting the next tokens of all answers, and sharing the work that the answers have in
    /// common.
    case batching
    /// Evaluating the assertions on answers.
    case judging
    /// Storing attempts in the database.
    case storing
  }

  /// The processor time in seconds, keyed by the phase's name.
  private var seconds: [String: Double]
  /// The width of the batches over time, or `nil` if no batch was measured.
  public var widths: BatchWidths?

  /// Creates an empty profile.
  public init() { seconds = [:] }

  /// The processor time of a phase, in seconds.
  public subscript(phase: Phase) -> Double {
    get { seconds[phase.rawValue] ?? 0 }
    set { seconds[phase.rawValue] = newValue }
  }

  /// The processor time of all phases, in seconds.
  public var total: Double { seconds.values.sorted().reduce(0, +) }

  /// Returns the sum of two profiles that were measured at the same time.
  public static func + (left: TimeProfile, right: TimeProfile) -> TimeProfile {
    left.sum(with: right, widths: +)
  }

  /// Returns the sum of two profiles, the second of which was measured after the first.
  ///
  /// - Parameter next: The second profile.
  public func followed(by next: TimeProfile) -> TimeProfile {
    sum(with: next) { $0.followed(by: $1) }
  }

  private func sum(
    with other: TimeProfile, widths join: (BatchWidths, BatchWidths) -> BatchWidths
  ) -> TimeProfile {
    var sum = self
    sum.seconds.merge(other.seconds, uniquingKeysWith: +)
    if let left = widths, let right = other.widths {
      sum.widths = join(left, right)
    } else {
      sum.widths = widths ?? other.widths
    }
    return sum
  }
}
