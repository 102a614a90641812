internal import CSystem
internal import Glibc

/// A folder that only this user can enter. It is removed, with everything in it, when the last reference to it is
/// released.
///
/// Keep a reference to the folder and not only to a path in it: a path does not keep the folder from being removed.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init(named name: String = "assent") throws(FileError) {
    let parent = Environment.current["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError("make folder", parent, code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    unsafe csystem_remove_tree(path)
  }

  /// A path inside the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }
}
