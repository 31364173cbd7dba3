import Synchronization

/// A record of everything that was read through a `FileReading`, to find out whether reading the
/// same paths again would give different results.
package final class FileObservation: Sendable {
  /// The state of one path; the parts that nobody asked for are nil.
  package struct State: Sendable, Hashable {
    /// The kind of the path's target; nil if nothing is there, or if nobody asked for it.
    package var kind: FileReading.Kind?
    /// The bytes of the file; nil if it can't be read, or if nobody asked for it.
    package var bytes: [UInt8]?
    /// The names in the folder, sorted; nil if it can't be listed, or if nobody asked for it.
    package var names: [String]?
    fileprivate var asked: Set<Question> = []
  }

  fileprivate enum Question: Sendable {
    case kind
    case bytes
    case names
  }

  private let base: FileReading
  private let found = Mutex<[String: State]>([:])

  /// Creates an observation of everything that is read through `reading`.
  package init(of base: FileReading) { self.base = base }

  /// The states that were found, by path.
  package var states: [String: State] { found.withLock { $0 } }

  /// The access to files, which also records everything that is read through it.
  package var reading: FileReading {
    FileReading(
      kind: { path in
        let kind = self.base.kind(path)
        self.note(.kind, path) { $0.kind = kind }
        return kind
      },
      bytes: { path throws(FileReading.Failure) in
        do throws(FileReading.Failure) {
          let bytes = try self.base.bytes(path)
          self.note(.bytes, path) { $0.bytes = bytes }
          return bytes
        } catch {
          self.note(.bytes, path) { $0.bytes = nil }
          throw error
        }
      },
      names: { path throws(FileReading.Failure) in
        do throws(FileReading.Failure) {
          let names = try self.base.names(path)
          self.note(.names, path) { $0.names = names.sorted() }
          return names
        } catch {
          self.note(.names, path) { $0.names = nil }
          throw error
        }
      },
      resolved: base.resolved)
  }

  /// The current states of the same paths.
  package var currentStates: [String: State] {
    states.reduce(into: [:]) { states, entry in
      var now = State(asked: entry.value.asked)
      for question in entry.value.asked {
        switch question {
        case .kind: now.kind = base.kind(entry.key)
        case .bytes: now.bytes = try? base.bytes(entry.key)
        case .names: now.names = try? base.names(entry.key).sorted()
        }
      }
      states[entry.key] = now
    }
  }

  private func note(_ question: Question, _ path: String, _ change: (inout State) -> Void) {
    found.withLock { states in
      change(&states[path, default: State()])
      states[path, default: State()].asked.insert(question)
    }
  }
}
