/// The version of Assay, which every record contains.
package enum ToolVersion {
  /// The version, for example `0.1.0`.
  package static let current = "0.1.0"
}
