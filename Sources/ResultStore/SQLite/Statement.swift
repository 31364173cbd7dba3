import CSQLite

/// A value that is bound to a parameter of a statement.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  init(_ value: Int) { self = .integer(Int64(value)) }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  init(_ value: String) { self = .text(value) }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  /// Creates a value from a double.
  ///
  /// SQLite has no NaN, so NaN is stored as null, and a row returns NaN for null.
  init(_ value: Double) { self = value.isNaN ? .null : .real(value) }
  init(_ value: Double?) { self = value.map { $0.isNaN ? .null : .real($0) } ?? .null }
  /// Creates a value from a seed; in SQL, seeds above `Int64.max` are negative numbers.
  init(_ value: UInt64) { self = .integer(Int64(bitPattern: value)) }
}

/// A prepared statement of a connection.
final class Statement {
  fileprivate let handle: OpaquePointer
  /// The SQL text, for error messages.
  private let sql: String
  private unowned let connection: Connection
  /// The indices of the result columns that were requested by name.
  ///
  /// The keys are the addresses of the static strings that name the columns, so a lookup doesn't
  /// hash or compare text.
  private var positions: [UnsafeRawPointer: Int32] = [:]

  init(_ handle: OpaquePointer, sql: String, connection: Connection) {
    self.handle = handle
    self.sql = sql
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ values: [SQLValue]) throws {
    for (position, value) in values.enumerated() {
      let index = Int32(position + 1)
      let code: Int32
      switch value {
      case .null: code = sqlite3_bind_null(handle, index)
      case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
      case .real(let number): code = sqlite3_bind_double(handle, index, number)
      case .text(let text): code = bind(text, at: index)
      }
      guard code == SQLITE_OK else { throw connection.error(code, in: sql) }
    }
  }

  private func bind(_ text: String, at index: Int32) -> Int32 {
    // SQLite copies the bytes before the call returns.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_text(handle, index, "", 0, transient)
      }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(
          handle, index, $0, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Advances to the next row.
  ///
  /// - Returns: False if there are no more rows.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.error(code, in: sql)
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Returns the index of a result column, counted from zero.
  ///
  /// The lookup traps if the statement has no such column, because that is a bug in this module's
  /// SQL.
  fileprivate func position(of column: StaticString) -> Int32 {
    let address = UnsafeRawPointer(column.utf8Start)
    if let known = positions[address] { return known }
    let name = column.description
    for position in 0..<sqlite3_column_count(handle)
    where sqlite3_column_name(handle, position).map({ String(cString: $0) }) == name {
      positions[address] = position
      return position
    }
    preconditionFailure("the statement selects no column \(name): \(sql)")
  }
}

/// The current row of a statement.
///
/// Callers look up the values by the names of the result columns.
struct Row {
  private let statement: Statement

  init(statement: Statement) { self.statement = statement }

  func integer(_ column: StaticString) -> Int {
    Int(sqlite3_column_int64(statement.handle, statement.position(of: column)))
  }

  func optionalInteger(_ column: StaticString) -> Int64? {
    let position = statement.position(of: column)
    return isNull(at: position) ? nil : sqlite3_column_int64(statement.handle, position)
  }

  func seed(_ column: StaticString) -> UInt64 {
    UInt64(bitPattern: sqlite3_column_int64(statement.handle, statement.position(of: column)))
  }

  func bool(_ column: StaticString) -> Bool { integer(column) != 0 }

  func double(_ column: StaticString) -> Double {
    let position = statement.position(of: column)
    return isNull(at: position) ? .nan : sqlite3_column_double(statement.handle, position)
  }

  func isNull(_ column: StaticString) -> Bool { isNull(at: statement.position(of: column)) }

  func text(_ column: StaticString) -> String { text(at: statement.position(of: column)) }

  func optionalText(_ column: StaticString) -> String? {
    let position = statement.position(of: column)
    return isNull(at: position) ? nil : text(at: position)
  }

  /// The integer in the row of a statement that selects only one column, or `nil` if the value is
  /// null.
  var onlyInteger: Int64? {
    isNull(at: 0) ? nil : sqlite3_column_int64(statement.handle, 0)
  }

  private func isNull(at position: Int32) -> Bool {
    sqlite3_column_type(statement.handle, position) == SQLITE_NULL
  }

  private func text(at position: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement.handle, position) else { return "" }
    let count = Int(sqlite3_column_bytes(statement.handle, position))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
