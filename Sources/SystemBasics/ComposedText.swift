#if !canImport(Darwin)
  @_spi(_Unicode) import Swift
#endif

extension String {
  /// The text in its composed form (NFC).
  package var composed: String {
    #if canImport(Darwin)
      precomposedStringWithCanonicalMapping
    #else
      // The function that compares strings. On Linux, the one of Foundation needs its tables.
      String(UnicodeScalarView(_nfc))
    #endif
  }
}
