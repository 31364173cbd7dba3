import CSQLite

/// The extended result codes of SQLite that determine which error the store reports.
///
/// The C header defines these codes (sqlite.org/rescode.html) as expressions that Swift doesn't
/// import.
enum ExtendedCode {
  /// `SQLITE_CONSTRAINT_FOREIGNKEY`.
  static let constraintForeignKey = SQLITE_CONSTRAINT | (3 << 8)
  /// `SQLITE_CONSTRAINT_PRIMARYKEY`.
  static let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
  /// `SQLITE_CONSTRAINT_UNIQUE`.
  static let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
  /// `SQLITE_IOERR_WRITE`.
  static let write = SQLITE_IOERR | (3 << 8)
  /// `SQLITE_IOERR_FSYNC`.
  static let synchronize = SQLITE_IOERR | (4 << 8)
  /// `SQLITE_IOERR_TRUNCATE`.
  static let truncate = SQLITE_IOERR | (6 << 8)
}
