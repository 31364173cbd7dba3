import Foundation
import FoundationModels
import Testing

@Generable
private enum Mood: String, CaseIterable, Equatable {
  case calm, `in`
  case loud = "very loud"
}

@Generable
private indirect enum Shape: Equatable, Sendable {
  case dot
  case circle(radius: Double)
  case labelled(text: String?, Mood)
  case group([Shape])
  case pair(left: Shape, right: Shape)
}

@Generable(description: "Everything at once", representNilExplicitlyInGeneratedContent: true)
private struct Everything: Equatable {
  var flag: Bool
  var count: Int
  var ratio: Double
  var small: Float
  var price: Decimal
  var text: String
  var mood: Mood
  var shape: Shape
  var maybe: Int?
  var names: [String]
  var grid: [[Int]]
  var inner: [Inner]
  var anything: GeneratedContent
  var last: Inner?
}

@Generable
private actor Keeper {
  let name: String
  let shapes: [Shape]
  let note: String?

  init(name: String, shapes: [Shape], note: String?) {
    self.name = name
    self.shapes = shapes
    self.note = note
  }
}

@Generable
private struct Inner: Equatable {
  var note: String?
  var moods: [Mood]
  var shape: Shape?
}

/// Generates values of every supported type from a seed.
private struct Source {
  var state: UInt64

  mutating func bits() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 31
  }

  mutating func number(below count: Int) -> Int { Int(bits() >> 33) % count }

  mutating func text() -> String {
    let letters: [Character] = ["a", "é", "\"", "\\", "/", "\n", "\u{0}", "😀", "{", "]", ",", " "]
    return String((0..<number(below: 6)).map { _ in letters[number(below: letters.count)] })
  }

  mutating func optional<T>(_ make: (inout Source) -> T) -> T? {
    number(below: 3) == 0 ? nil : make(&self)
  }

  mutating func array<T>(_ make: (inout Source) -> T) -> [T] {
    (0..<number(below: 4)).map { _ in make(&self) }
  }

  mutating func mood() -> Mood { Mood.allCases[number(below: 3)] }

  mutating func shape(depth: Int = 0) -> Shape {
    switch number(below: depth > 2 ? 3 : 5) {
    case 0: .dot
    case 1: .circle(radius: Double(Int64(truncatingIfNeeded: bits())) / 1e6)
    case 2: .labelled(text: optional { $0.text() }, mood())
    case 3: .group(array { $0.shape(depth: depth + 1) })
    default: .pair(left: shape(depth: depth + 1), right: shape(depth: depth + 1))
    }
  }

  mutating func inner() -> Inner {
    Inner(
      note: optional { $0.text() }, moods: array { $0.mood() }, shape: optional { $0.shape() })
  }

  mutating func everything() -> Everything {
    Everything(
      flag: bits() & 1 == 0, count: Int(truncatingIfNeeded: bits()),
      ratio: Double(Int64(truncatingIfNeeded: bits())) * 1e-9,
      small: Float(Int32(truncatingIfNeeded: bits())) * 0.1,
      price: Decimal(Int32(truncatingIfNeeded: bits())) / 100, text: text(), mood: mood(),
      shape: shape(), maybe: optional { $0.number(below: 9) }, names: array { $0.text() },
      grid: array { $0.array { $0.number(below: 100) } }, inner: array { $0.inner() },
      anything: shape().generatedContent,
      last: optional { $0.inner() })
  }
}

@Suite("Values of every supported type")
struct PropertyTests {
  @Test("a value can be read from its content, and from the text of its content")
  func roundTrips() throws {
    var source = Source(state: 5)
    for _ in 0..<100 {
      let value = source.everything()
      let content = value.generatedContent
      #expect(try Everything(content) == value)
      #expect(try Everything(GeneratedContent(json: content.jsonString)) == value)
      #expect(try GeneratedContent(json: content.jsonString) == content)
    }
  }

  @Test("an actor can be read from its content")
  func actors() async throws {
    var source = Source(state: 3)
    for _ in 0..<20 {
      let (name, shapes) = (source.text(), source.array { $0.shape() })
      let note = source.optional { $0.text() }
      let content = Keeper(name: name, shapes: shapes, note: note).generatedContent
      let keeper = try Keeper(GeneratedContent(json: content.jsonString))
      #expect(keeper.name == name && keeper.shapes == shapes && keeper.note == note)
    }
  }

  @Test("every prefix of a value's JSON can be read as a partial value, and parts never disappear")
  func prefixes() throws {
    var source = Source(state: 8)
    for _ in 0..<6 {
      let value = source.everything()
      let text = value.generatedContent.jsonString
      var count = 0
      for end in text.unicodeScalars.indices {
        let content = try GeneratedContent(json: String(text.unicodeScalars[..<end]))
        guard end > text.unicodeScalars.startIndex else { continue }
        let partial = try Everything.PartiallyGenerated(content)
        if let mood = partial.mood { #expect(mood == value.mood) }
        if let text = partial.text { #expect(value.text.utf8.starts(with: text.utf8)) }
        let inner = partial.inner?.count ?? 0
        #expect(inner >= count && inner <= value.inner.count)
        count = inner
      }
      let whole = value.asPartiallyGenerated()
      #expect(whole.names == value.names && whole.grid == value.grid && whole.flag == value.flag)
    }
  }

  @Test("reading a text with removed, changed and inserted bytes never traps")
  func damaged() {
    var source = Source(state: 13)
    for _ in 0..<200 {
      var bytes = Array(source.everything().generatedContent.jsonString.utf8)
      for _ in 0...source.number(below: 4) where !bytes.isEmpty {
        let position = source.number(below: bytes.count)
        switch source.number(below: 3) {
        case 0: bytes.remove(at: position)
        case 1: bytes[position] = UInt8(source.number(below: 128))
        default: bytes.insert(contentsOf: bytes[..<min(3, bytes.count)], at: position)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        let content = try GeneratedContent(json: text)
        _ = try? Everything(content)
        _ = try? Everything.PartiallyGenerated(content)
      } catch {
        #expect(error is GeneratedContent.ParsingError)
      }
    }
  }
}
