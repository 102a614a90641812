internal import Base
internal import Glibc

/// How many bytes of memory this process occupies.
package func residentBytes() throws -> Int {
  let pages = String(decoding: try Files.read("/proc/self/statm"), as: UTF8.self).split(separator: " ")[1]
  return (Int(pages) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
