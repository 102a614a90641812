internal import Base
internal import Glibc
internal import Testing

/// How much memory this process occupies.
package func residentBytes() throws -> Int {
  let fields = String(decoding: try Files.read("/proc/self/statm"), as: UTF8.self).split(separator: " ")
  return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
