import Synchronization

/// Records everything that is read through a `FileReading`, so that a caller can find out whether
/// the files have changed since.
package final class FileObservation: Sendable {
  /// The observed state of one path; the parts that weren't read are `nil`.
  package struct State: Sendable, Hashable {
    /// The kind of the path's target, or `nil` if nothing is there or the kind wasn't read.
    package var kind: FileReading.Kind?
    /// The bytes of the file, or `nil` if they weren't or couldn't be read.
    package var bytes: [UInt8]?
    /// The names in the folder, sorted, or `nil` if they weren't or couldn't be read.
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

  /// Creates an observation of everything that is read through ``reading``.
  package init(of base: FileReading) { self.base = base }

  /// The observed states, keyed by path.
  package var states: [String: State] { found.withLock { $0 } }

  /// Access to the observed files; the observation records everything that is read through it.
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

  /// The current states of the observed paths.
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
