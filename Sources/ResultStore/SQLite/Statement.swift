import CSQLite

/// A value that is bound to a parameter.
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
  /// SQLite has no NaN: it is stored as null and read back as NaN.
  init(_ value: Double) { self = value.isNaN ? .null : .real(value) }
  /// A 64-bit pattern: seeds above Int64.max show as negative numbers in SQL.
  init(_ value: UInt64) { self = .integer(Int64(bitPattern: value)) }
}

/// A prepared statement of a connection.
final class Statement {
  fileprivate let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ handle: OpaquePointer, connection: Connection) {
    self.handle = handle
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
      guard code == SQLITE_OK else { throw connection.error(code) }
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

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.error(code)
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// The current row of a statement.
///
/// Columns count from zero.
struct Row {
  fileprivate let statement: Statement

  init(statement: Statement) { self.statement = statement }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement.handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement.handle, column)) }

  func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(statement.handle, column)
  }

  func seed(_ column: Int32) -> UInt64 {
    UInt64(bitPattern: sqlite3_column_int64(statement.handle, column))
  }

  func bool(_ column: Int32) -> Bool { integer(column) != 0 }

  func double(_ column: Int32) -> Double {
    isNull(column) ? .nan : sqlite3_column_double(statement.handle, column)
  }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement.handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement.handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}
