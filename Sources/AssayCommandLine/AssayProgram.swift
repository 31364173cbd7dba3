/// The command line of Assay, as a value that an executable starts.
public struct AssayProgram: Sendable {
  /// Makes the standard program.
  public init() {}

  /// Runs the program and exits with its documented status.
  public func main() async {}
}
