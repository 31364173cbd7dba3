import MacroExpansion

/// The compiler plugin.
///
/// What it does lies in a module of its own: tests that named a plugin would have the package manager
/// build the whole package a second time, for the compiler's host.
@main
enum Plugin {
  static func main() { PluginServer.serve() }
}
