extension Double {
  /// Returns the number with a fixed number of decimals, for example `0.250`.
  ///
  /// - Parameter decimals: The number of digits after the point.
  package func text(decimals: Int) -> String {
    withVaList([CInt(decimals), self]) { arguments in
      // The largest number has 309 digits before the point.
      var bytes = [CChar](repeating: 0, count: 320 + max(0, decimals))
      let length = Int(vsnprintf(&bytes, bytes.count, "%.*f", arguments))
      return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
