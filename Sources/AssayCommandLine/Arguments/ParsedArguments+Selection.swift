import EvalSessions
import EvalSuites

extension ParsedArguments {
  /// Replaces `--shard auto` with the shard that the environment variables give this job.
  ///
  /// - Throws: `UsageError` if they give none.
  mutating func resolveShard(from environment: [String: String]) throws(UsageError) {
    let key = Options.shard.name
    guard values[key]?.last == "auto" else { return }
    do throws(Shard.EnvironmentProblem) {
      let shard = try Shard(environment: environment)
      values[key] = ["\(shard.index)/\(shard.count)"]
    } catch {
      throw UsageError("--shard auto: \(error)")
    }
  }

  /// Applies the options that select suites, variants and test cases.
  ///
  /// - Parameter suites: The loaded suites.
  /// - Returns: The selected suites, each with the selected variants and test cases.
  /// - Throws: `UsageError` if the value of `--shard` doesn't have the form `I/N`. `SessionFailure`
  ///   if a name matches nothing, or if no test case is left.
  func selected(from suites: [Suite]) throws -> [Suite] {
    var selection = Selection(
      suites: try self[Options.suite], cases: try self[Options.testCase],
      tags: try self[Options.tag])
    let variants = try self[Options.variant]
    if variants == ["all"] {
      selection.variants = .all
    } else if !variants.isEmpty {
      selection.variants = .named(variants)
    }
    if let text = try self[Options.shard] {
      guard let shard = Shard(parsing: text) else {
        throw UsageError("--shard \(text): expected I/N, for example 2/5, or auto")
      }
      selection.shard = shard
    }
    let selected: [Suite]
    do {
      selected = try selection.apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
    guard !selected.isEmpty else {
      throw SessionFailure(.nothingSelected, "no test case is selected, so nothing ran")
    }
    return selected
  }
}
