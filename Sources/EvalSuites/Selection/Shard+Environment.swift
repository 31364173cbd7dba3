extension Shard {
  /// The environment variables with which an engine tells a job its part of the work.
  struct Engine: Sendable {
    /// The variable with the job's number.
    var index: String
    /// The number of the first job, or the variable that contains it.
    var first: First
    /// The variable with the number of jobs.
    var count: String
    /// The variable with the difference between the numbers of two jobs, or `nil` if it is 1.
    var step: String?

    /// The number of the first job.
    enum First {
      case number(Int)
      case variable(String)
    }
  }

  /// The engines, in the order in which Assay looks for their variables.
  static let engines = [
    // A matrix of GitHub Actions sets no variables; a workflow sets these from `strategy`.
    Engine(index: "ASSAY_SHARD_INDEX", first: .number(0), count: "ASSAY_SHARD_TOTAL"),
    // GitLab.
    Engine(index: "CI_NODE_INDEX", first: .number(1), count: "CI_NODE_TOTAL"),
    // SLURM.
    Engine(
      index: "SLURM_ARRAY_TASK_ID", first: .variable("SLURM_ARRAY_TASK_MIN"),
      count: "SLURM_ARRAY_TASK_COUNT", step: "SLURM_ARRAY_TASK_STEP"),
    // Kubernetes, which doesn't tell a pod how many there are.
    Engine(index: "JOB_COMPLETION_INDEX", first: .number(0), count: "ASSAY_SHARD_TOTAL"),
  ]

  /// Creates the shard of this job from the environment variables of the engine that started it.
  ///
  /// - Parameter environment: The environment variables.
  /// - Throws: `EnvironmentProblem` if no engine's variables are set, or if they contradict each
  ///   other.
  package init(
    environment: [String: String]
  ) throws(EnvironmentProblem) {
    guard let engine = Self.engines.first(where: { environment[$0.index] != nil }) else {
      throw EnvironmentProblem(
        description: "no environment variable gives the number of this job; set "
          + "ASSAY_SHARD_INDEX, counted from 0, and ASSAY_SHARD_TOTAL")
    }
    func number(_ name: String) throws(EnvironmentProblem) -> Int {
      guard let text = environment[name] else {
        throw EnvironmentProblem(
          description: "\(engine.index) is set, but \(name) is not; set it to the number of jobs")
      }
      guard let number = Int(text), abs(number) < 1 << 31 else {
        throw EnvironmentProblem(
          description: "\(name) is `\(text)`; it must be a whole number")
      }
      return number
    }
    let (index, count) = (try number(engine.index), try number(engine.count))
    let first: Int
    switch engine.first {
    case .number(let number): first = number
    case .variable(let name): first = try number(name)
    }
    var step = 1
    if let name = engine.step, environment[name] != nil { step = max(1, try number(name)) }
    let offset = index - first
    guard offset.isMultiple(of: step), let shard = Shard(index: offset / step + 1, count: count)
    else {
      throw EnvironmentProblem(
        description: "\(engine.index) is \(index) and \(engine.count) is \(count), but the jobs "
          + "must have the numbers from \(first) to "
          + "\(first + (max(1, count) - 1) * step)" + (step == 1 ? "" : " in steps of \(step)"))
    }
    self = shard
  }

  /// The reason why the environment determines no shard.
  package struct EnvironmentProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem, and of what is allowed.
    package let description: String
  }
}
