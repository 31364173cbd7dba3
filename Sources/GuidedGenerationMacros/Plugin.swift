import MacroExpansion

/// The compiler plugin.
///
/// Its logic is in a separate module: if tests depended on a plugin, the package manager would
/// build the whole package a second time for the compiler's host.
@main
enum Plugin {
  static func main() { PluginServer.serve() }
}
