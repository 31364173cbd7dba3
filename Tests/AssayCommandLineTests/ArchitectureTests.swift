import Foundation
import Testing

/// Compares the table in ARCHITECTURE.md with the sources.
@Suite struct ArchitectureTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Modules that come with the compiler; every module of Assay may import them.
  static let standard: Set<String> = [
    "Swift", "Synchronization", "Observation", "Builtin", "RegexBuilder",
  ]

  /// The system's modules; a module of Assay may import them only if the table says so.
  static let system: Set<String> = ["Dispatch", "Glibc", "Darwin", "Musl"]

  struct Row {
    let allowed: Set<String>
    let allowsSystem: Bool
  }

  static func table() throws -> [String: Row] {
    let text = try String(
      contentsOf: root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
    var rows: [String: Row] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4 else { continue }
      rows[cells[0].trimmingCharacters(in: ["`"])] = Row(
        allowed: Set(names(in: cells[2])), allowsSystem: cells[3] == "yes")
    }
    return rows
  }

  static func names(in cell: String) -> [String] {
    cell.split(separator: "`").map(String.init).filter { $0.first?.isLetter == true }
  }

  static func imports(in source: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first,
        first.hasPrefix("@") || ["public", "package", "internal", "private"].contains(first)
      {
        words.removeFirst()
      }
      guard words.count >= 2, words[0] == "import" else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      return name.split(separator: ".").first.map(String.init)
    }
  }

  static func modules() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Sources").path
    ).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test("the table in ARCHITECTURE.md has exactly one row for each module")
  func rowsAndModules() throws {
    let modules = Set(try Self.modules())
    let rows = Set(try Self.table().keys)
    #expect(modules.subtracting(rows).sorted() == [], "modules without a row")
    #expect(rows.subtracting(modules).sorted() == [], "rows without a module")
  }

  @Test("the table in ARCHITECTURE.md allows every import in the sources")
  func importsAreAllowed() throws {
    let table = try Self.table()
    var checked = 0
    for module in try Self.modules() {
      let row = try #require(table[module])
      let folder = Self.root.appendingPathComponent("Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        for name in Self.imports(in: try String(contentsOf: file, encoding: .utf8)) {
          checked += 1
          let isAllowed =
            Self.standard.contains(name) || row.allowed.contains(name)
            || (row.allowsSystem && Self.system.contains(name))
          #expect(isAllowed, "\(module)/\(file.lastPathComponent) imports \(name)")
        }
      }
    }
    #expect(checked > 10, "the sources were not found")
  }

  /// The entry modules of programs and tests, which pass the clock and the environment to the
  /// other modules.
  static let roots: Set<String> = ["AssayCommandLine", "AssayTesting", "assay", "assay-benchmark"]

  /// Code that reads the clock or the environment.
  static let surroundings = [
    "ContinuousClock", "SuspendingClock", "Date()", "Date.now", "DispatchTime.now",
    "clock_gettime", "gettimeofday", "systemUptime", "processInfo.environment", "getenv(",
  ]

  /// Returns the lines of a source that read the clock or the environment directly.
  ///
  /// A default value of a parameter is allowed, because callers can pass another clock.
  static func readsOfSurroundings(in source: String) -> [String] {
    source.split(separator: "\n").map(String.init).filter { line in
      let code = line.replacingOccurrences(
        of: ": any Clock<Duration> = ContinuousClock()", with: "")
      let isComment = code.trimmingCharacters(in: .whitespaces).hasPrefix("//")
      return !isComment && surroundings.contains { code.contains($0) }
    }
  }

  @Test("only the entry modules of programs and tests read the clock and the environment")
  func surroundingsComeFromOutside() throws {
    var checked = 0
    for module in try Self.modules() where !Self.roots.contains(module) {
      let folder = Self.root.appendingPathComponent("Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        checked += 1
        let lines = Self.readsOfSurroundings(in: try String(contentsOf: file, encoding: .utf8))
        #expect(lines == [], "\(module)/\(file.lastPathComponent)")
      }
    }
    #expect(checked > 100, "the sources were not found")
  }

  @Test(
    "the scan finds code that reads the clock or environment, but allows a clock as a default")
  func surroundingsReader() {
    let source = """
      let start = ContinuousClock.now
      let home = ProcessInfo.processInfo.environment["HOME"]
      // ContinuousClock is only named here
      init(id: String, clock: any Clock<Duration> = ContinuousClock()) {}
      """
    #expect(Self.readsOfSurroundings(in: source).count == 2)
  }

  @Test("the scan finds imports that have an attribute, an access level or a declaration kind")
  func importReader() {
    let source = """
      import Foundation
      @preconcurrency public import Glibc
      import struct Tokenization.Vocabulary
      // import Nothing
      let x = 1
      """
    #expect(Self.imports(in: source) == ["Foundation", "Glibc", "Tokenization"])
  }

  @Test("only modules outside the program import Foundation, which would double the program's size")
  func foundationStaysOut() throws {
    let table = try Self.table()
    #expect(
      table.filter { $0.value.allowed.contains("Foundation") }.keys.sorted()
        == ["FoundationModels", "SystemBasics", "assay-benchmark"])
  }

  @Test("the package has no dependencies")
  func noPackages() throws {
    let manifest = try String(
      contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(!manifest.contains(".package("))
  }
}
