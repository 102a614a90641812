internal import CSystem

/// What a process does with memory that it has freed.
enum FreedMemory {
  /// Keeps some megabytes of freed memory instead of giving each block back at once: where payloads of 64 KiB come and
  /// go, the system would otherwise take pages back, and clear them for their next use, all the time.
  static func keep() {
    csystem_keep_freed_memory(8 << 20, 1 << 20, 256 << 10)
  }

  /// How much unused memory the process holds: free blocks that a burst of work leaves lie between used ones, and the C
  /// library does not give them back by itself.
  static var byteCount: Int { Int(csystem_free_memory()) }

  static func giveBack() { csystem_give_back_memory() }
}
