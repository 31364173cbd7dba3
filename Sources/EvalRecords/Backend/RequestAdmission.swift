/// Admits the requests of a backend one by one, so that the run keeps its pace and its budget.
///
/// A backend that decides itself when it sends requests asks before each of them. Otherwise, the
/// runner would learn of its retries, and of requests that waited for others, only afterwards.
public struct RequestAdmission: Sendable {
  /// The purpose of a request.
  public enum Purpose: Sendable, Hashable {
    /// An answer, also after a failed try; no such request begins once a budget is used up.
    case answer
    /// A measurement of an answer in progress, or a test of the server.
    case measurement
  }

  private let admit: @Sendable (Purpose) async -> Bool
  private let spend: @Sendable (BackendAnswer) -> Void

  /// Creates an admission.
  ///
  /// - Parameters:
  ///   - admit: Waits until a request may begin; returns false if it may not begin at all.
  ///   - spend: Counts what an answer used.
  public init(
    admit: @escaping @Sendable (Purpose) async -> Bool,
    spend: @escaping @Sendable (BackendAnswer) -> Void
  ) {
    self.admit = admit
    self.spend = spend
  }

  /// An admission that admits every request at once.
  public static let unlimited = RequestAdmission(admit: { _ in true }, spend: { _ in })

  /// An admission for requests that only test a server: they keep the run's pace, but its budget
  /// doesn't count their answers.
  package var forTests: RequestAdmission {
    RequestAdmission(admit: { [admit] _ in await admit(.measurement) }, spend: { _ in })
  }

  /// Waits until a request may begin.
  ///
  /// - Returns: Whether it may begin. If not, the backend gives no answer to the repeat.
  public func admits(_ purpose: Purpose) async -> Bool { await admit(purpose) }

  /// Counts the tokens and the cost of an answer.
  ///
  /// Call this function before another request begins, because that may be one too many.
  public func count(_ answer: BackendAnswer) { spend(answer) }
}
