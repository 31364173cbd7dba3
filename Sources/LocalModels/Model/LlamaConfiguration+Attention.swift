extension LlamaConfiguration {
  /// Reads two rotations: one for layers with full attention, and one for layers with a window.
  static func rotations(
    _ file: GGUFFile, _ name: String, contextLength: Int
  ) throws(ModelFileError) -> (full: RotationRule, window: RotationRule) {
    func number(_ key: String, _ range: ClosedRange<Double>) throws(ModelFileError) -> Double? {
      try file.number("\(name).rope.\(key)", in: range)
    }
    // The base must be above 1, because its logarithm is a divisor.
    let base = 1.0001...1e12
    var rule = RotationRule(base: try number("freq_base", base) ?? 10000)
    let windowRule = RotationRule(base: try number("freq_base_swa", base) ?? 10000)
    rule.magnitude = try number("scaling.attn_factor", 1e-3...1e3) ?? 1
    let legacy = try number("scale_linear", 1...1e6)
    let factor = try number("scaling.factor", 1...1e6) ?? legacy
    let key = "\(name).rope.scaling.type"
    switch try file.string(key) {
    case nil: rule.stretching = legacy.map { .linear($0) } ?? .none
    case "none", "longrope": break
    case "linear": rule.stretching = factor.map { .linear($0) } ?? .none
    case "yarn":
      guard let factor else { throw file.failure("\(name).rope.scaling.factor", .missing) }
      let original =
        try file.integer("\(name).rope.scaling.original_context_length", in: 1...1 << 24)
      var yarn = RotationRule.Yarn(
        factor: factor, originalLength: Double(original ?? contextLength))
      yarn.fastTurns = try number("scaling.yarn_beta_fast", 1e-3...1e6) ?? 32
      yarn.slowTurns = try number("scaling.yarn_beta_slow", 1e-3...1e6) ?? 1
      let multiplier = try number("scaling.yarn_log_multiplier", 0...1e3) ?? 0
      rule.magnitude *=
        yarn.magnitude() / (multiplier == 0 ? 1 : yarn.magnitude(multiplier: multiplier))
      rule.stretching = .yarn(yarn)
    case let other?:
      throw file.failure(key, .unsupported(other), allowed: "none, linear, yarn, longrope")
    }
    return (rule, windowRule)
  }

  /// Reads the size of the window, and which layers have it.
  static func windows(
    _ file: GGUFFile, _ architecture: Architecture, layerCount: Int
  ) throws(ModelFileError) -> (window: Int?, layers: [Bool]) {
    let none = Array(repeating: false, count: layerCount)
    let name = architecture.rawValue
    guard architecture == .gemma3 || architecture == .phi3,
      let window = try file.integer("\(name).attention.sliding_window", in: 0...1 << 30),
      window > 0
    else { return (nil, none) }
    if architecture == .phi3 { return (window, Array(repeating: true, count: layerCount)) }
    let key = "\(name).attention.sliding_window_pattern"
    if case .array = file.metadata[key] {
      let layers = try file.booleans(key) ?? []
      guard layers.count == layerCount else {
        throw file.failure(key, .invalid("\(layers.count) layers"), allowed: "\(layerCount)")
      }
      return (window, layers)
    }
    // The last layer of each period has full attention.
    let period = try file.integer(key, in: 1...1024) ?? 6
    return (window, (0..<layerCount).map { ($0 + 1) % period != 0 })
  }
}
