internal import Synchronization

/// Compressors kept for the next picture, as many as there were pictures at one time.
final class Deflaters: Sendable {
  private let level: Int32
  private let idle = Mutex<[Holder]>([])

  init(level: Int32) {
    self.level = level
  }

  func withDeflater<Result>(_ body: (borrowing Deflater) -> Result) -> Result {
    let holder = idle.withLock { $0.popLast() } ?? Holder(level: level)
    defer { idle.withLock { $0.append(holder) } }
    return body(holder.deflater)
  }

  /// Unchecked because the compiler cannot see that a holder is in the hands of one thread at a time.
  private final class Holder: @unchecked Sendable {
    let deflater: Deflater

    init(level: Int32) {
      deflater = Deflater(level: level)
    }
  }
}
