internal import Glibc

/// Reports changes in the folder of a file, whichever way the file is written or replaced there.
final class FolderWatch: Sendable {
  /// Readable when something in the folder has changed.
  let descriptor: Int32

  /// Nil when the system has no more watches to give, whose number is limited for each user, or the folder cannot be
  /// watched.
  init?(ofFolderOf path: String) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard queue >= 0 else { return nil }
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB)
    guard unsafe inotify_add_watch(queue, folder, events) >= 0 else {
      close(queue)
      return nil
    }
    descriptor = queue
  }

  deinit { close(descriptor) }

  /// Removes the reports that have arrived, so that the descriptor is no longer readable.
  func clear() {
    var events: InlineArray<4096, UInt8> = .init(repeating: 0)
    var space = events.mutableSpan
    unsafe space.withUnsafeMutableBytes { buffer in
      while unsafe read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
