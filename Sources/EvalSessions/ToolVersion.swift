/// The version of Assay, which every record carries.
package enum ToolVersion {
  /// The version, for example `0.1.0`.
  package static let current = "0.1.0"
}
