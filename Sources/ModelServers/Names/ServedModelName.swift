public import HTTPTransport
import StructuredText

/// The name of a served model in a command: `INTERFACE:MODEL@ADDRESS`, or `exec:COMMAND` for a
/// program.
///
/// ```
/// openai-api:Qwen3-8B@http://127.0.0.1:8000     ollama:llama3.2     llama-server
/// exec:python3 app.py --fast
/// ```
public struct ServedModelName: Sendable, Hashable {
  /// The server's interface.
  public var interface: ServerInterface
  /// The model's name, or an empty string if the server has only one model.
  ///
  /// For a program, this is its command.
  public var model: String
  /// The server's address.
  public var address: ServerAddress

  /// Returns whether a name looks like a served model's name.
  ///
  /// The name may still be invalid.
  public static func isServed(_ name: String) -> Bool {
    ServerInterface(rawValue: Self.interfaceName(name)) != nil || name.contains(":")
  }

  private static func interfaceName(_ name: String) -> String {
    String(name.prefix { $0 != ":" && $0 != "@" })
  }

  /// Creates a name by parsing text.
  ///
  /// - Parameter text: The name.
  /// - Throws: The problem with the name.
  public init(parsing text: String) throws(Problem) {
    let name = Self.interfaceName(text)
    guard let interface = ServerInterface(rawValue: name) else { throw .interface(name) }
    self.interface = interface
    var rest = text.dropFirst(name.count)
    if rest.first == ":" { rest.removeFirst() }
    if interface == .program {
      model = String(rest)
      guard model.contains(where: { !$0.isWhitespace }) else { throw .noModel(interface) }
      guard model.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .model(model) }
      address = ServerAddress(command: model)
      return
    }
    var written: Substring?
    if let start = Self.addressStart(in: rest) {
      written = rest[start...]
      rest = rest[..<start].dropLast()
    }
    model = String(rest)
    guard !model.isEmpty || interface.hasOneModel else { throw .noModel(interface) }
    guard model.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .model(model) }
    guard let place = written.map(String.init) ?? interface.defaultAddress else {
      throw .noAddress(interface)
    }
    do throws(ServerAddress.Problem) {
      address = try ServerAddress(parsing: place)
    } catch {
      throw error == .userInfo ? .userInfo(interface) : .address(place, error)
    }
    if address.path.isEmpty { address.path = interface.defaultPath }
  }

  /// Returns the start of the address in a name without its interface, or `nil` if it has none.
  ///
  /// The model's name and the user information of an address may contain an `@` too.
  private static func addressStart(in text: Substring) -> Substring.Index? {
    for separator in text.ranges(of: "://") {
      let before = text[..<separator.lowerBound]
      if let at = before.lastIndex(of: "@") { return text.index(after: at) }
      if ["http", "https"].contains(before.lowercased()) { return text.startIndex }
    }
    guard let at = text.lastIndex(of: "@"), isAddress(text[text.index(after: at)...]) else {
      return nil
    }
    // `USER:PASSWORD@HOST` is an address as a whole, but `@sha256:…` belongs to a model's name.
    if let earlier = text[..<at].lastIndex(of: "@"), text[earlier..<at].contains(":"),
      !text[earlier...].hasPrefix("@sha256:")
    {
      return text.index(after: earlier)
    }
    return text.index(after: at)
  }

  /// Returns whether the text after an `@` looks like an address.
  ///
  /// If the text doesn't look like an address, the `@` belongs to the model's name.
  private static func isAddress(_ text: Substring) -> Bool {
    text.contains(":") || text.contains(".") || text == "localhost"
  }

  /// The model's id in attempts: interface and model, without the address.
  public var id: String {
    model.isEmpty ? interface.rawValue : "\(interface.rawValue):\(model)"
  }

  /// The problem with a name.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no interface with this name.
    case interface(String)
    /// The interface needs the name of a model.
    case noModel(ServerInterface)
    /// The name of the model contains white space or a control character.
    case model(String)
    /// The interface has no default address, so the name must contain an address.
    case noAddress(ServerInterface)
    /// The address contains a user name, a password or a key, which no message may repeat.
    case userInfo(ServerInterface)
    /// The address is invalid for another reason.
    case address(String, ServerAddress.Problem)

    /// A description of the problem, and of what is allowed.
    public var description: String {
      let names = ServerInterface.allCases.map(\.rawValue)
      switch self {
      case .interface(let name):
        let nearest = NearestName.nearest(to: name, among: names)
        return "there is no backend `\(name)`; "
          + (nearest.map { "did you mean `\($0)`? The" } ?? "the")
          + " backends are local, stub, \(names.joined(separator: ", "))"
      case .noModel(.program):
        return "`exec` needs a command; write exec:COMMAND, for example \"exec:python3 app.py\""
      case .noModel(let interface):
        return "`\(interface.rawValue)` needs a model; write "
          + "\(interface.rawValue):MODEL\(interface.defaultAddress == nil ? "@ADDRESS" : "")"
      case .model(let model):
        return "the model's name `\(model)` contains a space or a control character"
      case .noAddress(let interface):
        return "`\(interface.rawValue)` needs a server; write "
          + "\(interface.rawValue):MODEL@ADDRESS"
      case .userInfo(let interface):
        return "the address contains a user name, a password or a key; put the key into the "
          + "environment variable \(interface.keyVariable), or into the one that `key` names in "
          + "the project file"
      case .address(let place, let problem): return "the address `\(place)`: \(problem)"
      }
    }
  }
}

extension ServedModelName: CustomStringConvertible {
  /// The whole name, with the address.
  public var description: String { interface == .program ? id : "\(id)@\(address)" }
}
