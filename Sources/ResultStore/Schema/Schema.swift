/// The format of the database, as a list of migrations from each format to the next.
///
/// Never edit a released migration; add a new one. The tests contain a file in every released
/// format, and read and migrate each of these files.
enum Schema {
  /// The bytes `ASAY`, which mark the file as Assay's.
  static let applicationID: Int64 = 0x4153_4159

  /// The format that this program writes.
  static var version: Int { migrations.count }

  /// The migrations; the migration at index n leads from format n to format n + 1.
  ///
  /// A migration that changes a view drops and recreates it, which is safe because views contain
  /// no data.
  static let migrations = [version1 + views1, version2 + views2, version3 + views3 + answerViews3]
}
