import StructuredText
import SystemBasics

/// The build of the program.
enum ProgramBuild {
  /// The SHA-256 of the program's file, or `nil` if the file can't be read.
  ///
  /// The digest changes whenever the code does. On Linux, the file is the one that is running, even
  /// if a newer build has replaced it.
  static let current: String? = {
    let file =
      FileManager.default.isReadableFile(atPath: "/proc/self/exe")
      ? "/proc/self/exe" : ProgramFile.path
    guard let file,
      let data = try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
    else { return nil }
    return data.withUnsafeBytes { bytes in
      var digest = SHA256()
      digest.update(bytes)
      return "build " + digest.hexDigest()
    }
  }()
}
