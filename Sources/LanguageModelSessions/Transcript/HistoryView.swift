extension Transcript {
  /// The entries of a conversation without its leading instructions.
  public struct HistoryView: Sendable, Equatable {
    private var entries: ArraySlice<Entry>

    /// A position in the view, which has no meaning outside of it.
    public struct Index: Comparable, Hashable, Sendable {
      fileprivate var position: Int

      /// Returns whether one position is before another.
      public static func < (left: Index, right: Index) -> Bool { left.position < right.position }
    }

    init(_ entries: ArraySlice<Entry>) { self.entries = entries }
  }
}

extension Transcript.HistoryView: RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection, ExpressibleByArrayLiteral
{
  /// The type of an entry.
  public typealias Element = Transcript.Entry
  /// The type of a part of the view.
  public typealias SubSequence = Transcript.HistoryView

  /// Creates an empty view.
  public init() { entries = [] }

  /// Creates a view of entries.
  ///
  /// - Parameter elements: The entries.
  public init(arrayLiteral elements: Transcript.Entry...) { entries = elements[...] }

  /// The position of the first entry.
  public var startIndex: Index { Index(position: entries.startIndex) }
  /// The position after the last entry.
  public var endIndex: Index { Index(position: entries.endIndex) }

  /// Returns the position after a position.
  public func index(after index: Index) -> Index { Index(position: index.position + 1) }
  /// Returns the position before a position.
  public func index(before index: Index) -> Index { Index(position: index.position - 1) }
  /// Returns the position at a distance from a position.
  public func index(_ index: Index, offsetBy distance: Int) -> Index {
    Index(position: index.position + distance)
  }
  /// Returns the distance between two positions.
  public func distance(from start: Index, to end: Index) -> Int { end.position - start.position }

  /// The entry at a position.
  public subscript(position: Index) -> Transcript.Entry {
    get { entries[position.position] }
    set { entries[position.position] = newValue }
  }

  /// The entries between two positions.
  public subscript(bounds: Range<Index>) -> Transcript.HistoryView {
    get { Self(entries[bounds.lowerBound.position..<bounds.upperBound.position]) }
    set {
      entries.replaceSubrange(
        bounds.lowerBound.position..<bounds.upperBound.position, with: newValue)
    }
  }

  /// Replaces the entries between two positions.
  ///
  /// - Parameters:
  ///   - subrange: The positions.
  ///   - newElements: The entries to insert instead.
  public mutating func replaceSubrange(
    _ subrange: Range<Index>, with newElements: some Collection<Transcript.Entry>
  ) {
    entries.replaceSubrange(
      subrange.lowerBound.position..<subrange.upperBound.position, with: newElements)
  }
}
