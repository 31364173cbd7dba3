import StructuredText

/// A line and a column; Swift Testing has a `SourceLocation` too.
typealias Place = StructuredText.SourceLocation
