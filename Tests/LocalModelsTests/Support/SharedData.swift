import Foundation

/// Reference data outside of the repository, in the folder that `ASSAY_SHARED` names.
///
/// If the variable is not set, the checks against this data are skipped.
enum SharedData {
  static let folder = ProcessInfo.processInfo.environment["ASSAY_SHARED"].map {
    URL(fileURLWithPath: $0).appendingPathComponent("data/local-models")
  }

  static func data(_ path: String) throws -> Data {
    guard let folder else { return Data() }
    return try Data(contentsOf: folder.appendingPathComponent(path))
  }

  static func path(_ path: String) -> String {
    folder?.appendingPathComponent(path).path ?? path
  }

  /// Returns the rows of a two-dimensional NumPy array of little-endian float32.
  static func rows(_ path: String) throws -> [[Float]] {
    let bytes = [UInt8](try data(path))
    let headerLength = Int(bytes[8]) + Int(bytes[9]) << 8
    let header = String(decoding: bytes[10..<10 + headerLength], as: UTF8.self)
    let shape = header.drop { $0 != "(" }.prefix { $0 != ")" }
      .split { !$0.isNumber }.compactMap { Int($0) }
    let body = bytes[(10 + headerLength)...]
    return body.withUnsafeBytes { raw in
      (0..<shape[0]).map { row in
        (0..<shape[1]).map { column in
          Float(
            bitPattern: UInt32(
              littleEndian: raw.loadUnaligned(
                fromByteOffset: (row * shape[1] + column) * 4, as: UInt32.self)))
        }
      }
    }
  }
}
