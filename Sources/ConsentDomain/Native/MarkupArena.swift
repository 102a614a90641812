internal import Glibc

/// Memory for one parse, freed all at once.
///
/// The parser would free its tree by recursion, which overflows the stack for deeply nested input. So its own freeing
/// does nothing, and its memory is freed with the arena.
@safe final class MarkupArena {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var next: UnsafeMutableRawPointer?
  private var left = 0

  private static let blockSize = 64 * 1024

  deinit {
    while let block = unsafe blocks.popLast() { unsafe free(block) }
  }

  /// Memory for `count` bytes, aligned for anything; nil when the system has no more.
  func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    let needed = (count + 15) & ~15
    if needed > left {
      let size = max(needed, Self.blockSize)
      guard let block = unsafe malloc(size) else { return nil }
      unsafe blocks.append(block)
      unsafe next = block
      left = size
    }
    let place = unsafe next
    unsafe next = unsafe place?.advanced(by: needed)
    left -= needed
    return unsafe place
  }
}
