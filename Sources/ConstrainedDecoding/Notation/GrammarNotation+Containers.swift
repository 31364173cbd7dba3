extension GrammarNotation {
  /// Returns the expression for an array.
  mutating func array(
    of element: String, _ minimum: UInt32, _ maximum: UInt32?
  ) throws(Obstacle) -> String {
    let space = try space()
    if maximum == 0 { return "\"[\" \(space)\"]\"" }
    var elements = "\(space)\(element)"
    if maximum != 1 {
      let rest = try Self.times(max(0, Int(minimum) - 1), maximum.map { Int($0) - 1 })
      elements += try " (\(comma()) \(element))\(rest)"
    }
    return "\"[\" \(minimum == 0 ? "(\(elements))?" : elements) \(space)\"]\""
  }

  /// Returns the name of the rule for the rest of an array with a prefix.
  ///
  /// - Parameter count: The number of elements so far; it stops growing when more elements make no
  ///   difference.
  mutating func tuple(
    _ tuple: Grammar.Tuple, _ number: UInt32, count: Int
  ) throws(Obstacle) -> String {
    if count > Self.mostRepeats { throw .count(count) }
    return try rule("t\(number)-\(count)") { it throws(Obstacle) in
      var options: [String] = []
      if count >= tuple.minimum { options.append(try it.space() + "\"]\"") }
      let node = count < tuple.prefix.count ? tuple.prefix[count] : tuple.element
      if let node, count < tuple.maximum.map({ Int($0) }) ?? .max {
        let last = max(Int(tuple.minimum), tuple.prefix.count, 1)
        let next = tuple.maximum == nil ? min(count + 1, last) : count + 1
        let value = try it.node(node)
        options.append(
          try "\(it.separator(isFirst: count == 0))\(value) \(it.tuple(tuple, number, count: next))"
        )
      }
      return options.joined(separator: " | ")
    }
  }

  /// Returns the name of the rule for the rest of an array with unique elements.
  ///
  /// - Parameter used: One bit for each possible value, set if the array already contains the
  ///   value.
  mutating func set(
    _ set: Grammar.ElementSet, _ number: UInt32, used: UInt32
  ) throws(Obstacle) -> String {
    if set.options.count > Self.mostSetElements { throw .count(set.options.count) }
    return try rule("e\(number)-\(used)") { it throws(Obstacle) in
      let count = used.nonzeroBitCount
      var options: [String] = []
      if count >= set.minimum { options.append(try it.space() + "\"]\"") }
      for (index, option) in set.options.enumerated()
      where count < set.maximum && used & 1 << index == 0 {
        let value = try it.node(option)
        let rest = try it.set(set, number, used: used | 1 << index)
        options.append(try "\(it.separator(isFirst: count == 0))\(value) \(rest)")
      }
      return options.joined(separator: " | ")
    }
  }

  /// Returns the expression for an object.
  mutating func object(
    _ object: Grammar.Object, _ number: UInt32
  ) throws(Obstacle) -> String {
    try "\"{\" \(members(object, number, from: 0, isFirst: true))"
  }

  /// Returns the expression for an object's members from an index on, followed by the object's end.
  ///
  /// Each optional member starts a new rule with two options, present and absent.
  private mutating func members(
    _ object: Grammar.Object, _ number: UInt32, from start: Int, isFirst: Bool
  ) throws(Obstacle) -> String {
    var text = ""
    var isFirst = isFirst
    for index in start..<object.members.count {
      let member = object.members[index]
      if member.isOptional {
        return try text
          + rule("o\(number)-\(index)\(isFirst ? "f" : "")") { it throws(Obstacle) in
            let present = try it.member(member, isFirst: isFirst)
            let after = try it.rest(object, number, from: index + 1, isFirst: false)
            let absent = try it.rest(object, number, from: index + 1, isFirst: isFirst)
            return "\(present) \(after) | \(absent)"
          }
      }
      text += try self.member(member, isFirst: isFirst) + " "
      isFirst = false
    }
    return try text + space() + "\"}\""
  }

  /// Returns the name of the rule for an object's members from an index on, followed by the
  /// object's end.
  private mutating func rest(
    _ object: Grammar.Object, _ number: UInt32, from start: Int, isFirst: Bool
  ) throws(Obstacle) -> String {
    try rule("r\(number)-\(start)\(isFirst ? "f" : "")") { it throws(Obstacle) in
      try it.members(object, number, from: start, isFirst: isFirst)
    }
  }

  private mutating func member(
    _ member: Grammar.Member, isFirst: Bool
  ) throws(Obstacle) -> String {
    let key = Self.literal(JSONText.quoted(member.name))
    return try "\(separator(isFirst: isFirst))\(key) \(colon()) \(node(member.node))"
  }

  /// Returns the expression for what comes before a member or element, with a trailing space, or an
  /// empty string if nothing comes before it.
  private mutating func separator(isFirst: Bool) throws(Obstacle) -> String {
    try isFirst ? space() : "\(comma()) "
  }
}
