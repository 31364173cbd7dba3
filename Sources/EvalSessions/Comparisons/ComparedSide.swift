import EvalRecords
import SystemBasics

/// One side of a comparison of stored runs, found by its name on the command line.
package struct ComparedSide {
  /// The side's name on the command line.
  package var name: String
  /// The run.
  package var run: RunRecord
  /// The attempts, without traces if the side is the baseline.
  package var attempts: [AttemptRecord]
  /// The suite to compare, or `nil` for all suites that both sides have.
  package var suite: String?
  /// The suite's variant to compare, or `nil` for the first variant.
  package var variant: String?
  /// The file or branch that the run comes from, or `nil` if the name is SUITE:VARIANT or the
  /// number of a run in the database.
  package var origin: String?
  /// The file that contains the run: the database, or another file.
  package var file: String
  /// The text that stands for this side in the name of a report folder, for example `12-shorter`.
  package var slug: String

  /// The part of the run that `suite` and `variant` select.
  package var part: (run: RunRecord, attempts: [AttemptRecord]) {
    guard let suite else { return (run, attempts) }
    var run = run
    run.suites = run.suites.filter { $0.id == suite }.map { record in
      var record = record
      if let variant { record.variants = record.variants.filter { $0.id == variant } }
      return record
    }
    return (
      run,
      attempts.filter {
        $0.key.suite == suite && (variant == nil || $0.key.variant == variant)
      }
    )
  }
}

/// The meaning of a side's name on the command line.
///
/// ```
/// 12                  the run with the number 12
/// FILE, FILE:RUN      a baseline, an export or another database
/// SUITE:VARIANT       the variant in the newest complete run that has it
/// BRANCH              the newest complete run of whole suites on a git branch
/// branch:BRANCH       the same, if BRANCH is also the name of something else
/// ```
package enum SideName: Equatable {
  case run(Int)
  case file(path: String, run: String?)
  case variant(suite: String, variant: String)
  case branch(String)
  /// A name in none of the other forms, which may be the name of a branch.
  case other(String)

  /// The allowed names, for error messages.
  package static let allowed =
    "expected the number of a run, a FILE, SUITE:VARIANT or the branch of a run"

  /// Creates a side's name by parsing an argument of the command line.
  ///
  /// A number or the prefix `branch:` takes precedence over a file, and a file over a variant.
  package init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    if let number = Int(text), number > 0 {
      self = .run(number)
    } else if parts.count == 2, parts[0] == "branch", !parts[1].isEmpty {
      self = .branch(parts[1])
    } else if Self.isFile(text) {
      self = .file(path: text, run: nil)
    } else if case (let path, let number?) = StoredRun.parts(ofFile: text), Self.isFile(path) {
      self = .file(path: path, run: number)
    } else if parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !parts[1].contains(":") {
      self = .variant(suite: parts[0], variant: parts[1])
    } else {
      self = .other(text)
    }
  }

  private static func isFile(_ path: String) -> Bool {
    FileStatus(path: path).map { !$0.isFolder } ?? false
  }
}
