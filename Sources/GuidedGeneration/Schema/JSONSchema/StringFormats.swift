/// The formats that can be enforced, as regular expressions that the whole string must match.
enum StringFormats {
  static let names = patterns.map(\.name)

  static func pattern(of name: String) -> String? { patterns.first { $0.name == name }?.pattern }

  private static let leapYear =
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
  private static let date =
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    + "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29)"
  // The pattern rejects leap seconds, because whether one is valid depends on the offset and the
  // day.
  private static let time =
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
    + "(?:[Zz]|[+\\-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
  private static let byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
  private static let address4 = "(?:\(byte)\\.){3}\(byte)"
  private static let group = "[0-9A-Fa-f]{1,4}"
  private static let address6: String = {
    let last = "(?:\(group):\(group)|\(address4))"
    var forms = ["(?:\(group):){6}\(last)", "::(?:\(group):){5}\(last)"]
    for after in (0...4).reversed() {
      let before = 4 - after
      let head = before == 0 ? "(?:\(group))?" : "(?:(?:\(group):){0,\(before)}\(group))?"
      forms.append("\(head)::" + (after == 0 ? "" : "(?:\(group):){\(after)}") + last)
    }
    forms.append("(?:(?:\(group):){0,5}\(group))?::\(group)")
    forms.append("(?:(?:\(group):){0,6}\(group))?::")
    return "(?:" + forms.joined(separator: "|") + ")"
  }()
  private static let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+"
  private static let label = "[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?"
  private static let hex = "%[0-9A-Fa-f]{2}"
  private static let plain = "A-Za-z0-9._~!$&'()*+,;=\\-"

  private static let patterns: [(name: String, pattern: String)] = [
    ("date", "^\(date)$"),
    ("time", "^\(time)$"),
    ("date-time", "^\(date)[Tt]\(time)$"),
    ("uuid", "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"),
    ("email", "^\(atom)(?:\\.\(atom))*@\(label)(?:\\.\(label))*$"),
    ("ipv4", "^\(address4)$"),
    ("ipv6", "^\(address6)$"),
    (
      "uri",
      "^[A-Za-z][A-Za-z0-9+.\\-]*:"
        + "(?://(?:(?:[\(plain):]|\(hex))*@)?(?:\\[\(address6)\\]|(?:[\(plain)]|\(hex))*)(?::[0-9]*)?"
        + "(?:/(?:[\(plain):@]|\(hex))*)*"
        + "|/?(?:(?:[\(plain):@]|\(hex))+(?:/(?:[\(plain):@]|\(hex))*)*)?)"
        + "(?:\\?(?:[\(plain):@/?]|\(hex))*)?(?:#(?:[\(plain):@/?]|\(hex))*)?$"
    ),
  ]
}
