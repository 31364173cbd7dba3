/// Reads the text of a JSON value byte by byte, and tracks the place of the current position.
///
/// This is not a full parser: it only tracks the arrays and objects that are not closed yet, with
/// the number of elements begun and the current key. In a text that is not JSON, it finds some
/// place.
///
/// ```
/// {"cards":[{"q":"…"},    objects and arrays open: $ (key cards), $.cards (1 begun)
///                      ▲  path $.cards[1]; the array's own path is $.cards
/// ```
package struct JSONPlaceTracker: Sendable {
  private enum Phase {
    /// Before the first element or key, or before a key that comes after a comma.
    case opening
    /// In or after a key, before the colon.
    case key
    /// After a colon, or after a comma in an array: a value must come.
    case expectingValue
    /// In a value.
    case inValue
    /// After a value.
    case afterValue
  }

  private struct Frame {
    var isObject: Bool
    var begun = 0
    /// The current key.
    var name = ""
    /// The step to the member with the current key, in its canonical spelling.
    var step = ""
    /// Whether the key is an ASCII word.
    var isWord = true
    var phase = Phase.opening
  }

  private var frames: [Frame] = []
  /// The bytes of the key that is open, or of the last key.
  private var key: [UInt8] = []
  private var lexer = JSONByteLexer()
  private var isInKey = false
  private var isInScalar = false

  /// Creates a tracker at the beginning of a text.
  package init() {}

  /// Moves past the next byte of the text.
  package mutating func feed(_ byte: UInt8) {
    let token = lexer.feed(byte)
    switch token {
    case .inString:
      if isInKey { key.append(byte) }
    case .endString:
      if isInKey { takeKey() } else { setPhase(.afterValue) }
      isInKey = false
    case .beginObject, .beginArray:
      beginValue()
      frames.append(Frame(isObject: token == .beginObject))
    case .end:
      isInScalar = false
      if !frames.isEmpty { frames.removeLast() }
      setPhase(.afterValue)
    case .comma:
      isInScalar = false
      setPhase(frames.last?.isObject ?? false ? .opening : .expectingValue)
    case .colon: setPhase(.expectingValue)
    case .beginString:
      if let frame = frames.last, frame.isObject, frame.phase == .opening {
        isInKey = true
        key.removeAll(keepingCapacity: true)
        setPhase(.key)
      } else {
        beginValue()
      }
    case .space:
      if isInScalar { setPhase(.afterValue) }
      isInScalar = false
    case .scalar:
      if !isInScalar { beginValue() }
      isInScalar = true
    }
  }

  private mutating func takeKey() {
    let name = JSONEscapes.unescaped(key)
    let step = JSONPlace.Step.name(name).text
    frames[frames.count - 1].name = name
    frames[frames.count - 1].step = step
    frames[frames.count - 1].isWord =
      step.utf8.first == UInt8(ascii: ".") && step.utf8.allSatisfy { $0 < 0x80 }
  }

  private mutating func beginValue() {
    guard !frames.isEmpty else { return }
    frames[frames.count - 1].begun += 1
    setPhase(.inValue)
  }

  private mutating func setPhase(_ phase: Phase) {
    if !frames.isEmpty { frames[frames.count - 1].phase = phase }
  }

  /// The path of the value that contains the position or must begin there.
  ///
  /// If there is no such value, it is the path of the array or object around the position.
  package var path: String { text(ofFrames: frames.count) }

  /// Returns the path with another spelling of the steps to members.
  ///
  /// - Parameter step: Returns the step to a member with a name.
  package func path(spelling step: (String) -> String) -> String {
    text(ofFrames: frames.count) { step($0.name) }
  }

  /// Whether every open object's key is an ASCII word, which all spellings write in the same way.
  package var hasOnlyWords: Bool { frames.allSatisfy(\.isWord) }

  /// The path of the innermost open array or object.
  package var containerPath: String { text(ofFrames: frames.count - 1) }

  /// The path of a value that would begin here.
  package var valuePath: String {
    guard let frame = frames.last, !frame.isObject else { return path }
    return containerPath + JSONPlace.Step.index(frame.begun).text
  }

  /// Whether the position is outside strings, so that white space has no meaning.
  package var isOutsideStrings: Bool { !lexer.isInString }

  /// The number of elements or members so far in the innermost array or object.
  package var elementCount: Int { frames.last?.begun ?? 0 }

  /// The number of arrays and objects that are not closed yet.
  package var depth: Int { frames.count }

  private func text(ofFrames count: Int, step: (Frame) -> String = \.step) -> String {
    var result = "$"
    for frame in frames.prefix(max(0, count)) {
      switch frame.phase {
      case .opening, .key, .afterValue: break
      case .expectingValue, .inValue:
        if frame.isObject {
          result += step(frame)
        } else {
          let index = frame.phase == .inValue ? frame.begun - 1 : frame.begun
          result += JSONPlace.Step.index(index).text
        }
      }
    }
    return result
  }
}
