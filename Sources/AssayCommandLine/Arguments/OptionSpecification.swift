/// The headings under which the help lists options.
enum OptionGroup: String, CaseIterable, Sendable {
  case selection = "Selection"
  case answers = "Models and servers"
  case attempts = "Attempts and seeds"
  case limits = "Limits"
  case reuse = "Reuse and decoding steps"
  case judging = "Judging"
  case command = "Options"
  case results = "Results"
  case everywhere = "Every command"
}

/// The declaration of an option, from which Assay derives parsing, help and completions.
struct OptionSpecification: Sendable {
  /// The long name without dashes.
  let name: String
  /// The single letter, if there is one.
  var letter: Character?
  /// The placeholder that stands for the value in the help, or `nil` for a flag.
  var value: String?
  /// The allowed values, or `nil` if any value is allowed.
  var allowed: [String]?
  /// The default value as the help shows it, or `nil` if the option has none.
  var defaultValue: String?
  /// Whether users may give the option more than once.
  var isRepeatable = false
  /// The heading under which the help lists the option.
  let group: OptionGroup
  /// A description of the effect, in one sentence without a full stop.
  let help: String
}

/// An option of a command, whatever the type of its value.
protocol DeclaredOption: Sendable {
  /// The option's declaration.
  var specification: OptionSpecification { get }
}

/// The key of an option: its declaration, and the function that reads its value.
///
///     static let jobs = OptionKey<Int?>.integer("jobs", letter: "j", "N", in: 1...1024, …)
///     let jobs = try arguments[Options.jobs]
struct OptionKey<Value>: DeclaredOption {
  let specification: OptionSpecification
  /// Parses the option's texts, which come from the command line or the project file, or are `nil`
  /// if neither sets the option.
  let read: @Sendable ([String]?) throws(UsageError) -> Value

  /// The long name without dashes.
  var name: String { specification.name }
}

extension OptionKey where Value == Bool {
  /// Creates a flag, which is an option without a value.
  static func flag(
    _ name: String, letter: Character? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(name: name, letter: letter, group: group, help: help)
    ) { $0 != nil }
  }
}

extension OptionKey where Value == String? {
  /// Creates an option whose value is any text.
  ///
  /// - Parameters:
  ///   - name: The long name.
  ///   - letter: The single letter.
  ///   - value: The placeholder for the value in the help.
  ///   - allowed: The allowed values, or `nil` if any value is allowed.
  ///   - defaultValue: The default value as the help shows it.
  ///   - group: The heading under which the help lists the option.
  ///   - help: A description of the effect, in one sentence without a full stop.
  static func text(
    _ name: String, letter: Character? = nil, _ value: String, allowed: [String]? = nil,
    default defaultValue: String? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, letter: letter, value: value, allowed: allowed, defaultValue: defaultValue,
        group: group, help: help)
    ) { $0?.last }
  }
}

extension OptionKey where Value == [String] {
  /// Creates a repeatable option whose value is any text.
  static func list(
    _ name: String, letter: Character? = nil, _ value: String,
    default defaultValue: String? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, letter: letter, value: value, defaultValue: defaultValue, isRepeatable: true,
        group: group, help: help)
    ) { $0 ?? [] }
  }
}

extension OptionKey
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// Creates an option whose allowed values are the raw values of an enum.
  static func choice(
    _ name: String, _ value: String, default defaultValue: Value, _ group: OptionGroup,
    _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, value: value, allowed: Value.allCases.map(\.rawValue),
        defaultValue: defaultValue.rawValue, group: group, help: help)
    ) { $0?.last.flatMap { Value(rawValue: $0) } ?? defaultValue }
  }
}

extension OptionKey where Value == Int? {
  /// Creates an option whose value is an integer.
  static func integer(
    _ name: String, letter: Character? = nil, _ value: String, in range: ClosedRange<Int>,
    default defaultValue: String? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, letter: letter, value: value, defaultValue: defaultValue, group: group,
        help: help)
    ) { (texts: [String]?) throws(UsageError) -> Int? in
      guard let text = texts?.last else { return nil }
      guard let number = Int(text), range.contains(number) else {
        // Only a number that is too large needs to know the largest possible one.
        let isTooLarge =
          Int(text) == nil && !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) }
        let limits =
          range.upperBound == Int.max && !isTooLarge
          ? "of at least \(range.lowerBound)"
          : "from \(range.lowerBound) to \(range.upperBound)"
        throw UsageError("--\(name) \(text): expected a whole number \(limits)")
      }
      return number
    }
  }
}

extension OptionKey where Value == Duration? {
  /// Creates an option whose value is a number of seconds.
  static func seconds(
    _ name: String, default defaultValue: String? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, value: "SECONDS", defaultValue: defaultValue, group: group, help: help)
    ) { (texts: [String]?) throws(UsageError) -> Duration? in
      guard let text = texts?.last else { return nil }
      guard let number = Double(text), number > 0, number <= 1e7 else {
        throw UsageError(
          "--\(name) \(text): expected a number of seconds above 0 and at most 10000000")
      }
      return .milliseconds(Int(number * 1000))
    }
  }
}

extension OptionKey where Value == Double? {
  /// Creates an option whose value is an amount of money, in any currency.
  static func amount(
    _ name: String, default defaultValue: String? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, value: "AMOUNT", defaultValue: defaultValue, group: group, help: help)
    ) { (texts: [String]?) throws(UsageError) -> Double? in
      guard let text = texts?.last else { return nil }
      guard let number = Double(text), number > 0, number <= 1e9 else {
        throw UsageError("--\(name) \(text): expected an amount above 0")
      }
      return number
    }
  }

  /// Creates an option whose value is a share or a probability, from 0 to less than 1.
  ///
  /// - Parameters:
  ///   - allowsZero: Whether 0 itself is allowed.
  ///   - limit: The largest allowed value, or `nil` to allow all values below 1.
  static func share(
    _ name: String, _ value: String, allowsZero: Bool = true, atMost limit: Double? = nil,
    default defaultValue: String? = nil, _ group: OptionGroup, _ help: String
  ) -> Self {
    Self(
      specification: OptionSpecification(
        name: name, value: value, defaultValue: defaultValue, group: group, help: help)
    ) { (texts: [String]?) throws(UsageError) -> Double? in
      guard let text = texts?.last else { return nil }
      guard let number = Double(text), allowsZero ? number >= 0 : number > 0,
        limit.map({ number <= $0 }) ?? (number < 1)
      else {
        throw UsageError(
          "--\(name) \(text): expected a number "
            + (allowsZero ? "that is at least 0" : "above 0") + " and "
            + (limit.map { "at most \($0)" } ?? "below 1"))
      }
      return number
    }
  }
}
