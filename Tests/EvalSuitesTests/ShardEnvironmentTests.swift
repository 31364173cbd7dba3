import Testing

@testable import EvalSuites

@Suite("The shard of a job, from the environment")
struct ShardEnvironmentTests {
  static let known: [(environment: [String: String], shard: String)] = [
    (["ASSAY_SHARD_INDEX": "0", "ASSAY_SHARD_TOTAL": "4"], "1/4"),
    (["ASSAY_SHARD_INDEX": "3", "ASSAY_SHARD_TOTAL": "4"], "4/4"),
    (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "2/5"),
    (
      [
        "SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "4",
      ], "3/4"
    ),
    (
      [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4",
        "SLURM_ARRAY_TASK_STEP": "2",
      ], "4/4"
    ),
    (["JOB_COMPLETION_INDEX": "0", "ASSAY_SHARD_TOTAL": "3"], "1/3"),
    // The user's own variables come first.
    (
      [
        "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "ASSAY_SHARD_INDEX": "0",
        "ASSAY_SHARD_TOTAL": "2",
      ], "1/2"
    ),
  ]

  @Test("each engine's variables give the shard", arguments: known.indices)
  func checkKnown(_ index: Int) throws {
    let (environment, text) = Self.known[index]
    #expect(try Shard(environment: environment) == Shard(parsing: text))
  }

  static let unknown: [(environment: [String: String], words: String)] = [
    ([:], "set ASSAY_SHARD_INDEX, counted from 0, and ASSAY_SHARD_TOTAL"),
    (["ASSAY_SHARD_TOTAL": "3"], "no environment variable gives the number of this job"),
    (
      ["CI_NODE_INDEX": "2"],
      "CI_NODE_INDEX is set, but CI_NODE_TOTAL is not; set it to the number of jobs"
    ),
    (
      ["JOB_COMPLETION_INDEX": "0"],
      "JOB_COMPLETION_INDEX is set, but ASSAY_SHARD_TOTAL is not; set it to the number of jobs"
    ),
    (
      ["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "5"],
      "CI_NODE_INDEX is `two`; it must be a whole number"
    ),
    (
      ["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"],
      "CI_NODE_INDEX is 6 and CI_NODE_TOTAL is 5, but the jobs must have the numbers from 1 to 5"
    ),
    (
      ["ASSAY_SHARD_INDEX": "4", "ASSAY_SHARD_TOTAL": "4"], "the numbers from 0 to 3"
    ),
    (["ASSAY_SHARD_INDEX": "0", "ASSAY_SHARD_TOTAL": "0"], "the numbers from 0 to 0"),
    (["ASSAY_SHARD_INDEX": "9999999999999", "ASSAY_SHARD_TOTAL": "1"], "must be a whole number"),
    (
      [
        "SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4",
        "SLURM_ARRAY_TASK_STEP": "2",
      ], "the numbers from 1 to 7 in steps of 2"
    ),
    // An array with gaps.
    (
      ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "2"],
      "the numbers from 1 to 2"
    ),
  ]

  @Test(
    "variables that give no shard are an error that says what to set", arguments: unknown.indices)
  func checkUnknown(_ index: Int) {
    let (environment, words) = Self.unknown[index]
    let error = #expect(throws: Shard.EnvironmentProblem.self) {
      try Shard(environment: environment)
    }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }
}
