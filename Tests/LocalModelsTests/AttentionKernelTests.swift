import CKernels
import Foundation
import Testing

@Suite("Attention kernels")
struct AttentionKernelTests {
  static let sets = [CK_SCALAR, CK_AVX2, CK_AVX512, CK_NEON].filter { ck_is_supported($0) != 0 }

  /// One sequence of pages with pseudorandom keys and values.
  final class Sequence {
    let length: Int
    let isHalf: Bool
    private(set) var keys: [[Float]] = []
    private(set) var values: [[Float]] = []
    private(set) var pages: [UnsafeMutableRawPointer] = []

    init(_ set: ck_instruction_set, positions: Int, length: Int, isHalf: Bool, seed: Int) {
      (self.length, self.isHalf) = (length, isHalf)
      for position in 0..<positions {
        keys.append((0..<length).map { sin(Float(seed + 7 * position + 3 * $0)) })
        values.append((0..<length).map { cos(Float(seed + 5 * position + 11 * $0)) })
        let place = position % Int(CK_PAGE)
        if place == 0 {
          pages.append(.allocate(byteCount: 2 * size, alignment: 64))
          pages[pages.count - 1].initializeMemory(as: UInt8.self, repeating: 0, count: 2 * size)
        }
        ck_store_position(
          set, keys[position], values[position], pages[pages.count - 1],
          pages[pages.count - 1] + size, Int32(place), Int32(length), isHalf ? 1 : 0)
      }
    }

    deinit {
      for page in pages { page.deallocate() }
    }

    /// The number of bytes of a page's keys or values.
    private var size: Int { Int(CK_PAGE) * length * (isHalf ? 2 : 4) }

    private func stored(_ number: Float) -> Double {
      Double(isHalf ? Float(Float16(number)) : number)
    }

    /// Returns the attention of one head in double precision.
    func attention(_ query: [Float], _ positions: Range<Int>, scale: Double) -> [Double] {
      let scores = positions.map { position in
        zip(query, keys[position]).reduce(0) { $0 + Double($1.0) * stored($1.1) } * scale
      }
      let weights = scores.map { exp($0 - scores.max()!) }
      let total = weights.reduce(0, +)
      return (0..<length).map { element in
        zip(weights, positions).reduce(0) { $0 + $1.0 * stored(values[$1.1][element]) } / total
      }
    }
  }

  /// A query that reads some positions of a sequence.
  struct Reader {
    var sequence: Sequence
    var positions: Range<Int>
  }

  /// Returns the attention of readers that are computed together, and their queries.
  static func attend(
    _ set: ck_instruction_set, _ readers: [Reader], heads: Int
  ) -> (queries: [[Float]], results: [[Float]]) {
    let (length, size) = (readers[0].sequence.length, heads * readers[0].sequence.length)
    // A reader's query depends only on the positions that it reads.
    let queries = readers.map { reader in
      (0..<size).map { 3 * sin(Float(reader.positions.upperBound + 2 * $0)) }
    }
    var results = [[Float]](repeating: [Float](repeating: 0, count: size), count: readers.count)
    let stride = readers.map(\.positions.upperBound).max()! + Int(CK_PAGE)
    var scores = [Float](repeating: .nan, count: readers.count * heads * stride)
    var sums = [Float](repeating: .nan, count: readers.count * heads * (2 * length + 1))
    let query = UnsafeMutablePointer<Float>.allocate(capacity: readers.count * size)
    let y = UnsafeMutablePointer<Float>.allocate(capacity: readers.count * size)
    let tables = readers.map { reader in
      let table = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(
        capacity: reader.sequence.pages.count)
      table.initialize(
        from: reader.sequence.pages.map { UnsafeRawPointer($0) },
        count: reader.sequence.pages.count)
      return table
    }
    defer {
      query.deallocate()
      y.deallocate()
      for table in tables { table.deallocate() }
    }
    for (number, values) in queries.enumerated() {
      (query + number * size).initialize(from: values, count: size)
    }
    let given = zip(readers, tables).enumerated().map { number, pair in
      ck_reader(
        query: query + number * size, y: y + number * size, pages: pair.1,
        positions: Int32(pair.0.positions.upperBound),
        skipped: Int32(pair.0.positions.lowerBound))
    }
    ck_attention(
      set, given, Int32(given.count), Int32(heads), 0, Int(CK_PAGE) * length, Int32(length), 0.3,
      stride, &scores, &sums, readers[0].sequence.isHalf ? 1 : 0)
    for number in results.indices {
      results[number] = Array(UnsafeBufferPointer(start: y + number * size, count: size))
    }
    return (queries, results)
  }

  @Test(
    "attention matches its definition, and has the same bits alone and together with other readers",
    arguments: sets.indices, [false, true])
  func definition(_ index: Int, isHalf: Bool) {
    let set = Self.sets[index]
    for (length, heads) in [(16, 1), (24, 2), (64, 3), (80, 4), (128, 7)] {
      func sequence(_ positions: Int, _ seed: Int) -> Sequence {
        Sequence(set, positions: positions, length: length, isHalf: isHalf, seed: seed)
      }
      let (first, second) = (sequence(100, 1), sequence(70, 50))
      var readers = [0..<1, 0..<31, 0..<32, 0..<33, 4..<64, 63..<100, 0..<99, 0..<100].map {
        Reader(sequence: first, positions: $0)
      }
      readers.insert(Reader(sequence: second, positions: 0..<70), at: 3)
      readers.append(Reader(sequence: second, positions: 33..<50))
      let (queries, results) = Self.attend(set, readers, heads: heads)
      for (number, reader) in readers.enumerated() {
        for head in 0..<heads {
          let range = head * length..<(head + 1) * length
          let expected = reader.sequence.attention(
            Array(queries[number][range]), reader.positions, scale: Double(Float(0.3)))
          let difference = zip(results[number][range], expected).map { abs(Double($0) - $1) }.max()!
          #expect(difference < 1e-5, "\(length) elements, reader \(number), head \(head)")
        }
        let alone = Self.attend(set, [reader], heads: heads).results[0]
        #expect(alone.map(\.bitPattern) == results[number].map(\.bitPattern))
      }
    }
  }

  @Test("keys and values are rounded to the nearest halves, and always finite", arguments: sets)
  func rounding(_ set: ck_instruction_set) {
    let edges: [Float] = [
      0, -0.0, 1, 65504, -65504, 0x1p-14, Float(0x1p-14).nextDown, 0x1p-24, 0x1p-25, 0x1.8p-25,
      0x1p-26,
      1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-20, 1 + 0x3p-11, Float.leastNonzeroMagnitude,
    ]
    let finite =
      edges
      + (0..<500).map {
        sin(Float($0)) * Float(sign: .plus, exponent: $0 % 45 - 28, significand: 1)
      }
    let numbers = finite + [65520, -1e9, .infinity, -.infinity, .nan]
    let expected =
      finite.map { Float16($0).bitPattern }
      + [65504, -65504, 65504, -65504].map { Float16($0).bitPattern }
    let count = numbers.count
    var keys = [UInt16](repeating: 1, count: count * Int(CK_PAGE))
    var values = keys
    ck_store_position(set, numbers, numbers, &keys, &values, 2, Int32(count), 1)
    #expect(Array(values[2 * count..<3 * count - 1]) == expected)
    #expect((0..<count - 1).map { keys[$0 * Int(CK_PAGE) + 2] } == expected)
    #expect(Float16(bitPattern: values[3 * count - 1]).isFinite)
    // Other places don't change.
    #expect(values[..<(2 * count)].allSatisfy { $0 == 1 } && values[3 * count] == 1)
    #expect(keys.indices.allSatisfy { $0 % Int(CK_PAGE) == 2 || keys[$0] == 1 })
    var (floatKeys, floats) = (
      [Float](repeating: 1, count: count * Int(CK_PAGE)),
      [Float](repeating: 1, count: count * Int(CK_PAGE))
    )
    ck_store_position(set, numbers, numbers, &floatKeys, &floats, 2, Int32(count), 0)
    #expect(Array(floats[2 * count..<2 * count + finite.count]) == finite)
    #expect(floats.allSatisfy { $0.isFinite })
  }
}
