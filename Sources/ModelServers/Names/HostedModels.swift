/// Recognizes the names of hosted models, so that errors can say how to name them.
public enum HostedModels {
  /// Returns the interface of the service that hosts a model, or `nil` if the name isn't like the
  /// names of any service.
  public static func interface(of name: String) -> ServerInterface? {
    let name = name.lowercased()
    let prefixes: [(ServerInterface, [String])] = [
      (.openAI, ["gpt-3", "gpt-4", "gpt-5", "chatgpt-", "o1-", "o3-", "o4-"]),
      (.anthropic, ["claude-"]), (.google, ["gemini-"]),
    ]
    if ["o1", "o3"].contains(name) { return .openAI }
    // Ollama's names end in a tag: `llama3.2:3b`.
    if let colon = name.firstIndex(of: ":"), colon > name.startIndex,
      name[colon...] == ":latest" || name[colon...].dropFirst().first?.isNumber == true
    {
      return .ollama
    }
    return prefixes.first { $0.1.contains { name.hasPrefix($0) } }?.0
  }
}
