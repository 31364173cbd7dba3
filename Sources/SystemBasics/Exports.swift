// The part of the system's libraries that all modules use. On Linux, Foundation as a whole brings
// along the tables of all languages, which are larger than the rest of the program together.
// FoundationEssentials has no such tables.
#if canImport(Darwin)
  @_exported import Darwin
  @_exported import Foundation
#else
  @_exported import FoundationEssentials
  #if canImport(Glibc)
    @_exported import Glibc
  #elseif canImport(Musl)
    @_exported import Musl
  #endif
#endif
