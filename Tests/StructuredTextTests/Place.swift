import StructuredText

/// A line and a column, under a name that doesn't clash with Swift Testing's `SourceLocation`.
typealias Place = StructuredText.SourceLocation
