/// The file of the program that is running.
package enum ProgramFile {
  /// The path of the file, or `nil` if the system doesn't tell it.
  package static var path: String? {
    #if canImport(Darwin)
      Bundle.main.executablePath
    #else
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ?? CommandLine.arguments.first
    #endif
  }
}
