/// Recordings, sorted into those to keep and copies of them.
///
/// A file that was joined to another, or that two devices have sent, can have the same attempt
/// twice. Attempts of a recorder have a number and a time, so equal ones are the same attempt. The
/// equal lines of an app's own log are separate answers.
package struct RecordedCopies: Sendable {
  /// The recordings, each attempt once.
  package private(set) var kept: [Recording] = []
  /// The recordings that are copies of earlier ones.
  package private(set) var copies: [Recording] = []

  private struct Key: Hashable {
    var facts: RecordedFacts
    var prompt: String
    var output: String?
  }

  /// Creates a list of recordings without copies.
  package init(_ recordings: [Recording]) {
    var known: Set<Key> = []
    for recording in recordings {
      let key = Key(
        facts: recording.facts, prompt: recording.prompt, output: recording.output)
      let isAttempt = recording.facts.namesCase && recording.facts.attempt != nil
      if isAttempt, !known.insert(key).inserted {
        copies.append(recording)
      } else {
        kept.append(recording)
      }
    }
  }
}
