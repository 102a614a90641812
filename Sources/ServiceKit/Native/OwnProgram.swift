internal import Base
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

  /// The path of a file or folder of an unpacked release, such as `share/fonts`, which is beside the folder of the
  /// programs; nil if there is none.
  package static func companion(_ path: String) -> String? {
    guard let parent = folder.lastIndex(of: "/") else { return nil }
    let place = "\(folder[..<parent])/\(path)"
    return Files.exists(place) ? place : nil
  }

  /// The name of the container whose first process this is; nil elsewhere. Containers of one service run the same
  /// command, so that nothing else tells them apart.
  package static let containerName: String? = {
    guard getpid() == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
