internal import Base

/// A small file system, for tests that fill it.
public struct SmallDisk: Sendable {
  public let folder: String
  private let parent: TemporaryFolder

  /// nil where this process may not mount: only root may, and not in every container.
  ///
  /// - Parameter options: as `mount -o` takes them, such as `size=2m`.
  public init?(options: String) async throws {
    parent = try TemporaryFolder()
    folder = parent.file("mount")
    try Files.makeFolder(folder)
    var mount = ChildCommand("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder])
    mount.errors = .discarded
    guard try await ChildProcess.start(mount).wait().isSuccess else { return nil }
  }

  public func remount(options: String) async throws {
    _ = try await ChildProcess.output(of: ChildCommand("mount", ["-o", "remount,\(options)", folder]))
  }

  public func remove() async throws {
    _ = try await ChildProcess.start(ChildCommand("umount", ["-l", folder])).wait()
  }
}
