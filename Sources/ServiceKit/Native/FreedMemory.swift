internal import CSystem

/// What a process does with memory that it has freed.
enum FreedMemory {
  /// Keeps some megabytes of freed memory instead of giving each block back at once: where payloads of 64 KiB are
  /// allocated and freed all the time, the kernel would otherwise take the pages back and clear them for each next use.
  static func keep() {
    csystem_keep_freed_memory(8 << 20, 1 << 20, 256 << 10)
  }

  /// How many bytes of freed memory the process still holds: after a burst of work, free blocks lie between used ones,
  /// and the C library does not give them back to the kernel by itself.
  static var byteCount: Int { Int(csystem_free_memory()) }

  static func giveBack() { csystem_give_back_memory() }
}
