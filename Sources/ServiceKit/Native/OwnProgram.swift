internal import Glibc

/// The program that is running.
package enum OwnProgram {
  /// The folder that it was started from; the other programs of a release are there too.
  package static let folder: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }()
}
