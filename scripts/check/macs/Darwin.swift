// A stand-in for Apple's module Darwin on Linux, for `scripts/check/portability`: Linux's
// functions, and the declarations that differ on Apple's systems and that Assay uses.

@_exported import Glibc

extension stat {
  public var st_mtimespec: timespec { st_mtim }
  public var st_ctimespec: timespec { st_ctim }
}

public func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  Glibc.read(file, buffer, count)
}

public func write(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  Glibc.write(file, buffer, count)
}

// On Apple's systems, both types are pointers.
public typealias posix_spawn_file_actions_t = OpaquePointer
public typealias posix_spawnattr_t = OpaquePointer

@discardableResult
public func posix_spawn_file_actions_init(
  _ actions: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(
  _ actions: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_addopen(
  _ actions: UnsafeMutablePointer<OpaquePointer?>, _ file: Int32, _ path: UnsafePointer<CChar>,
  _ flags: Int32, _ mode: UInt16
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<OpaquePointer?>, _ file: Int32, _ target: Int32
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigmask(
  _ attributes: UnsafeMutablePointer<OpaquePointer?>, _ signals: UnsafePointer<sigset_t>
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigdefault(
  _ attributes: UnsafeMutablePointer<OpaquePointer?>, _ signals: UnsafePointer<sigset_t>
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<OpaquePointer?>) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_destroy(
  _ attributes: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(
  _ attributes: UnsafeMutablePointer<OpaquePointer?>, _ flags: Int16
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setpgroup(
  _ attributes: UnsafeMutablePointer<OpaquePointer?>, _ group: pid_t
) -> Int32 { 0 }
public func posix_spawn(
  _ process: UnsafeMutablePointer<pid_t>?, _ path: UnsafePointer<CChar>,
  _ actions: UnsafePointer<OpaquePointer?>?, _ attributes: UnsafePointer<OpaquePointer?>?,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 { 0 }

// Linux has these functions alone, so code for Apple's systems must not call them.
@available(*, unavailable, message: "Apple's systems don't have it")
public func pipe2(_ ends: UnsafeMutablePointer<Int32>?, _ flags: Int32) -> Int32 { 0 }
@available(*, unavailable, message: "Apple's systems don't have it")
public func dup3(_ file: Int32, _ other: Int32, _ flags: Int32) -> Int32 { 0 }
@available(*, unavailable, message: "Apple's systems don't have it")
public func gettid() -> pid_t { 0 }

public func sysctlbyname(
  _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?,
  _ size: UnsafeMutablePointer<Int>?, _ newValue: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { 0 }
