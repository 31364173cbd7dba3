import StructuredText

/// A stateless source of random numbers; it computes each number from a key that says what the
/// number is for.
///
/// The key of a token's number is (seed, repeat, JSON path, step within the path, token). The path
/// depends on where the token *begins*. If the token begins inside a value or right before one, the
/// key has the path of that value; otherwise, the path of the array or object around the token's
/// beginning. The step counts the earlier tokens with this path. So if a variant of the prompt
/// leads to more or fewer tokens at other paths, the numbers at this path stay the same. Because
/// every token has a separate number, nearly equal probabilities nearly always give the same winner
/// (`TokenDistribution.choose`):
///
/// ```
/// $.name, step 0         u       variant A    -ln u / p       variant B    -ln u / p
///   "Ann                 0.70    p = 0.50     0.71  first     p = 0.45     0.79  first
///   "Bob                 0.20    p = 0.40     4.02            p = 0.40     4.02
///   "Cy                  0.80    p = 0.10     2.23            p = 0.15     1.49
///
/// $.age, step 0          the same numbers for both, however many tokens the name took
/// ```
///
/// White space between the parts of a value doesn't count as a step, and has separate numbers
/// (`layoutKey`). With these numbers, a session first decides whether a white-space token comes
/// next, and which one. If none comes, the session draws the next token with the numbers above.
///
/// Two variants are *paired* as long as their tokens have the same numbers. Within one value, they
/// stay paired until they split the text of *that* value into different tokens; from the next value
/// on, they are paired again.
///
/// The numbers come from the output mix of SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014), applied once for each part of the key; the FNV-1a hash of
/// the path represents the path.
package struct RandomStream: Sendable {
  private let root: UInt64

  /// Creates a stream for one attempt.
  package init(seed: UInt64, repeat number: Int) {
    root = Self.mix(Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15) ^ UInt64(bitPattern: Int64(number)))
  }

  /// Returns a tracker's path as keys need it.
  ///
  /// - Parameters:
  ///   - tracker: The tracker.
  ///   - path: The tracker's `path`, which is nearly always the result.
  func path(_ tracker: JSONPlaceTracker, _ path: String) -> String {
    tracker.hasOnlyWords ? path : tracker.path(spelling: Self.step)
  }

  /// Returns the spelling of the step to a member in the path of a key.
  ///
  /// It differs from the canonical spelling (`JSONPlace`) for names with non-ASCII letters and for
  /// control characters, because it is version 0.1's spelling of places. With any other spelling,
  /// a seed would give another answer, so the measurement protocol would have to change.
  private static func step(to name: String) -> String {
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    let isWord =
      name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    if isWord { return "." + name }
    let escaped = name.flatMap { character -> [Character] in
      character == "'" || character == "\\" ? ["\\", character] : [character]
    }
    return "['" + String(escaped) + "']"
  }

  /// Returns the key of a step within a path.
  ///
  /// - Parameters:
  ///   - path: The path, with members as `path(_:_:)` spells them.
  ///   - step: The number of earlier tokens with this path.
  func key(path: String, step: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Self.mix(Self.mix(root ^ hash) ^ UInt64(bitPattern: Int64(step)))
  }

  /// Returns the key of a step at which white space between the parts of a value may come.
  ///
  /// The numbers of this key decide whether a white-space token comes next, and which one. The
  /// token after the white space uses `key`. So if one variant of a prompt adds or drops a blank,
  /// the value after the blank stays paired.
  func layoutKey(path: String, step: Int) -> UInt64 {
    Self.mix(key(path: path, step: step) ^ 0x6C61_796F_7574_5F5F)
  }

  /// Returns a number strictly between 0 and 1 for a token at a step.
  static func uniform(key: UInt64, token: Int32) -> Double {
    let bits = mix(key &+ UInt64(UInt32(bitPattern: token)) &* 0x9E37_79B9_7F4A_7C15)
    // Without this limit, the largest of the 2⁵³ numbers would be rounded up to 1.
    return min((Double(bits >> 11) + 0.5) / 9_007_199_254_740_992, 1.0.nextDown)
  }

  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
