/// The reason why the system refused an operation on a file.
package enum SystemReason {
  /// Returns the reason in the system's words, for example `No space left on device`.
  ///
  /// - Parameter error: An error of a function that reads or writes files.
  package static func words(for error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    if let cause = error.underlying as? POSIXError {
      return String(cString: strerror(cause.code.rawValue))
    }
    switch error.code {
    case .fileWriteFileExists: return String(cString: strerror(EEXIST))
    case .fileWriteNoPermission, .fileReadNoPermission: return String(cString: strerror(EACCES))
    case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
    case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
    case .fileWriteVolumeReadOnly: return String(cString: strerror(EROFS))
    default: return "\(error)"
    }
  }
}
