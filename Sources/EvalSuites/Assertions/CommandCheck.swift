import EvalRecords
import StructuredText

/// A check that an external program makes: it gets JSON and answers JSON.
package struct CommandCheck: Sendable, Hashable {
  /// The program and its arguments.
  package var arguments: [String]
  /// The folder in which it runs: that of the suite file.
  package var folder: String
  /// What it is given; with `[*]` a list.
  package var path: ValuePath
  /// How long it may take, in seconds.
  package var timeLimit: Double
  /// The environment variables that it gets, beside `PATH`.
  package var environment: [String]
  /// What is expected, in words.
  package var words: String
}

/// One call of an external program.
public struct CommandCall: Sendable, Hashable {
  /// The program and its arguments.
  public var arguments: [String]
  /// The folder in which it runs.
  public var folder: String
  /// The names of the environment variables that it gets, beside `PATH`.
  public var environment: [String]
  /// What it gets on standard input: one JSON object.
  public var input: String
  /// How long it may take, in seconds.
  public var timeLimit: Double
}

/// What became of a call.
public enum CommandAnswer: Sendable, Hashable {
  /// The program ended well; what it wrote to standard output.
  case output(String)
  /// It could not be started, failed or took too long, in words.
  case failure(String)
}

/// The way to external programs; suites have none unless it is given.
public struct CommandAccess: Sendable {
  private let ask: @Sendable (CommandCall, @Sendable () -> Bool) -> CommandAnswer
  private var isGivenUp: @Sendable () -> Bool = { false }

  /// Makes an access.
  ///
  /// - Parameter ask: Calls a program and waits for it; once the second argument says that nobody
  ///   waits for the answer any longer, the program is ended.
  public init(
    ask: @escaping @Sendable (CommandCall, @Sendable () -> Bool) -> CommandAnswer
  ) { self.ask = ask }

  /// The access for somebody who may give up waiting.
  package func until(_ isGivenUp: @escaping @Sendable () -> Bool) -> CommandAccess {
    var access = self
    access.isGivenUp = isGivenUp
    return access
  }

  /// Calls a program and waits for it.
  func call(_ call: CommandCall) -> CommandAnswer { ask(call, isGivenUp) }
}

extension CommandCheck {
  /// What a call comes to.
  private enum Reply {
    case verdict(isPass: Bool, expected: String?, actual: String)
    case failure(String)
  }

  /// Asks the program.
  ///
  /// Where it gives no answer that can be read, the check fails, negated or not.
  func evaluate(_ facts: AttemptFacts, negated: Bool) -> CheckResult {
    let plain = (negated ? "not " : "") + words
    switch reply(facts) {
    case .failure(let reason):
      return CheckResult(verdict: .fail, expected: plain, actual: reason)
    case .verdict(let isPass, let expected, let actual):
      return CheckResult(
        verdict: isPass != negated ? .pass : .fail,
        expected: expected.map { (negated ? "not " : "") + $0 } ?? plain, actual: actual)
    }
  }

  private func reply(_ facts: AttemptFacts) -> Reply {
    guard let access = facts.commands else {
      return .failure("the command was not run: commands are not allowed")
    }
    let found = path.values(in: facts.value).map(\.value)
    var input: JSONObject = [
      "value": path.isSingular ? found.first ?? .null : .array(found), "answer": facts.value,
    ]
    if let key = facts.key {
      input["suite"] = .string(key.suite)
      input["variant"] = .string(key.variant)
      input["case"] = .string(key.caseID)
      input["backend"] = .string(key.backend)
      input["repeat"] = .number(JSONNumber(key.repeatIndex))
    }
    input["variables"] = .object(facts.variables)
    let answer = access.call(
      CommandCall(
        arguments: arguments, folder: folder, environment: environment,
        input: JSONValue.object(input).compactText, timeLimit: timeLimit))
    switch answer {
    case .failure(let reason): return .failure(reason)
    case .output(let text):
      guard let value = try? JSONValue(parsing: text), let isPass = value["pass"]?.bool else {
        return .failure(
          "the command answered \(ValueWords.quoted(text)) instead of "
            + #"{"pass": true or false, "actual": "…"}"#)
      }
      return .verdict(
        isPass: isPass, expected: value["expected"]?.string,
        actual: value["actual"].map { $0.string ?? ValueWords.short($0) }.map(ValueWords.cut)
          ?? (isPass ? "the command says yes" : "the command says no"))
    }
  }
}
