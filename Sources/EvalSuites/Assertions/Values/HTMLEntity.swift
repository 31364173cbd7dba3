/// Recognizes HTML's character references, such as `&amp;` and `&#8217;`.
enum HTMLEntity {
  /// The names that models write, without those of accented letters.
  private static let names: Set<String> = [
    "amp", "lt", "gt", "quot", "apos", "nbsp", "ensp", "emsp", "thinsp", "shy", "zwj", "zwnj",
    "hellip", "mdash", "ndash", "lsquo", "rsquo", "sbquo", "ldquo", "rdquo", "bdquo", "laquo",
    "raquo", "lsaquo", "rsaquo", "bull", "middot", "prime", "Prime", "copy", "reg", "trade",
    "times", "divide", "plusmn", "minus", "frac12", "frac14", "frac34", "deg", "micro", "euro",
    "pound", "yen", "cent", "curren", "sect", "para", "dagger", "Dagger", "iexcl", "iquest",
    "larr", "rarr", "uarr", "darr", "harr", "le", "ge", "ne", "asymp", "equiv", "infin", "sum",
    "radic", "permil", "ordf", "ordm", "sup1", "sup2", "sup3", "szlig", "AElig", "aelig", "OElig",
    "oelig", "ETH", "eth", "THORN", "thorn", "check", "star", "hearts",
  ]
  /// The endings of the names of accented letters, after the letter.
  private static let accents: Set<String> = [
    "acute", "grave", "circ", "tilde", "uml", "ring", "cedil", "slash", "caron",
  ]

  /// Returns the name of the reference that a text continues with after `&`, or `nil` if it
  /// continues with something else.
  static func name(in rest: ArraySlice<Unicode.Scalar>) -> String? {
    let inside = rest.prefix(12).prefix { $0 != ";" }
    guard inside.count < 12, rest.dropFirst(inside.count).first == ";" else { return nil }
    let name = String(String.UnicodeScalarView(inside))
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      let isHexadecimal = digits.first == "x" || digits.first == "X"
      let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number == nil ? nil : name
    }
    let isAccented = name.first?.isASCII == true && accents.contains(String(name.dropFirst()))
    return names.contains(name) || isAccented ? name : nil
  }
}
