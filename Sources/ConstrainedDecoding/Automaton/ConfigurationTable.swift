/// The interned configurations of an automaton, and the steps between them that it has taken so
/// far.
///
/// Each distinct configuration has a number. To repeat a step, the automaton looks up one entry in
/// a row of 256 configuration numbers.
final class ConfigurationTable {
  typealias Configuration = TokenAutomaton.Configuration

  /// The threads and sites of a configuration, as ranges of `threads` and `sites`.
  struct Header {
    var firstThread: UInt32
    var threadCount: UInt32
    var firstSite: UInt32
    var siteCount: UInt32
    var isComplete: Bool
  }

  // The exclusivity check is off for these tables, for the reason given in `TokenAutomaton`.

  @exclusivity(unchecked) private(set) var headers: [Header] = []
  @exclusivity(unchecked) private(set) var threads: [Thread] = []
  @exclusivity(unchecked) private(set) var sites: [UInt32] = []
  @exclusivity(unchecked) private var index = InternTable()

  /// `rows[configuration][byte]` is the next configuration, or 0 if it isn't known yet.
  ///
  /// Configurations without known steps share `untakenRow`.
  @exclusivity(unchecked) private(set) var rows: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
  private let untakenRow: UnsafeMutablePointer<UInt32>
  /// The memory of all rows except `untakenRow`, allocated in blocks.
  @exclusivity(unchecked) private var rowBlocks: [UnsafeMutablePointer<UInt32>] = []
  private static var rowsInBlock: Int { 16 }
  @exclusivity(unchecked) private var rowsLeft = 0
  /// For each configuration, the bytes that can follow it; empty if they aren't known yet.
  @exclusivity(unchecked) private(set) var firstByteSets: UnsafeMutablePointer<ByteSet>
  @exclusivity(unchecked) private var capacity = 64
  /// The table's approximate size in bytes.
  @exclusivity(unchecked) private(set) var byteCount = 0

  private static var configurationBytes: Int { 96 }

  init() {
    untakenRow = .allocate(capacity: 256)
    untakenRow.initialize(repeating: 0, count: 256)
    rows = .allocate(capacity: capacity)
    rows.initialize(repeating: untakenRow, count: capacity)
    firstByteSets = .allocate(capacity: capacity)
    firstByteSets.initialize(repeating: ByteSet(), count: capacity)
  }

  deinit {
    rows.deallocate()
    untakenRow.deallocate()
    for block in rowBlocks { block.deallocate() }
    firstByteSets.deallocate()
  }

  var count: Int { headers.count }

  /// Returns the number of the configuration that equals a draft, or nil if there is none yet.
  ///
  /// - Parameter draft: A normalized draft.
  func find(_ draft: borrowing ConfigurationDraft, hash: UInt64) -> Configuration? {
    index.find(hash) { isEqual(draft, to: $0) }
  }

  private func isEqual(
    _ draft: borrowing ConfigurationDraft, to configuration: Configuration
  ) -> Bool {
    let header = headers[Int(configuration)]
    guard header.isComplete == draft.isComplete, Int(header.threadCount) == draft.threads.count,
      Int(header.siteCount) == draft.sites.count
    else { return false }
    for index in draft.threads.indices
    where threads[Int(header.firstThread) + index] != draft.threads[index] { return false }
    for index in draft.sites.indices
    where sites[Int(header.firstSite) + index] != draft.sites[index] { return false }
    return true
  }

  /// Adds a draft as a new configuration; call `find` first to make sure that it isn't there yet.
  ///
  /// - Returns: The configuration's number.
  func append(_ draft: borrowing ConfigurationDraft, hash: UInt64) -> Configuration {
    if headers.count == capacity { growRows() }
    headers.append(
      Header(
        firstThread: UInt32(threads.count), threadCount: UInt32(draft.threads.count),
        firstSite: UInt32(sites.count), siteCount: UInt32(draft.sites.count),
        isComplete: draft.isComplete))
    if draft.threads.count == 1 {
      threads.append(draft.threads[0])
    } else {
      threads += draft.threads
    }
    if !draft.sites.isEmpty { sites += draft.sites }
    byteCount += Self.configurationBytes + draft.threads.count * MemoryLayout<Thread>.stride
    _ = index.insert(hash)
    return UInt32(headers.count - 1)
  }

  private func growRows() {
    let grown = UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>.allocate(capacity: capacity * 2)
    grown.moveInitialize(from: rows, count: capacity)
    (grown + capacity).initialize(repeating: untakenRow, count: capacity)
    rows.deallocate()
    rows = grown
    let grownSets = UnsafeMutablePointer<ByteSet>.allocate(capacity: capacity * 2)
    grownSets.moveInitialize(from: firstByteSets, count: capacity)
    (grownSets + capacity).initialize(repeating: ByteSet(), count: capacity)
    firstByteSets.deallocate()
    firstByteSets = grownSets
    capacity *= 2
  }

  /// Records that each byte of a range leads from `configuration` to `next`.
  ///
  /// Accesses stay in bounds: only `append` creates configurations, and it makes room for their
  /// rows. `rowsLeft` counts the free rows of the last block.
  func remember(_ next: Configuration, after configuration: Configuration, _ bytes: ByteRange) {
    if rows[Int(configuration)] == untakenRow {
      if rowsLeft == 0 {
        let block = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.rowsInBlock << 8)
        block.initialize(repeating: 0, count: Self.rowsInBlock << 8)
        rowBlocks.append(block)
        byteCount += Self.rowsInBlock << 10
        rowsLeft = Self.rowsInBlock
      }
      rowsLeft -= 1
      rows[Int(configuration)] = rowBlocks[rowBlocks.count - 1] + rowsLeft << 8
    }
    let row = rows[Int(configuration)]
    for byte in Int(bytes.low)...Int(bytes.high) { row[byte] = next }
  }

  /// Records the bytes that can follow a configuration.
  func remember(_ firstBytes: ByteSet, of configuration: Configuration) {
    firstByteSets[Int(configuration)] = firstBytes
  }
}
