internal import Synchronization

/// The working memory for drawing a picture, a compressor and buffers for rows, which the next picture uses again.
/// Allocating it for each picture would take a fifth of the picture's time.
final class RenderBuffers {
  let deflater: Deflater
  var band = Band(width: 1, rows: 1)
  var rows: [UInt8] = []

  fileprivate init(level: Int32) {
    deflater = Deflater(level: level)
  }
}

/// Unused buffers, as many as pictures were ever drawn at the same time.
final class RenderBufferPool: Sendable {
  private let level: Int32
  private let idle = Mutex<[Entry]>([])

  init(level: Int32) {
    self.level = level
  }

  func withOne<Result, Failure: Error>(_ body: (RenderBuffers) throws(Failure) -> Result) throws(Failure) -> Result {
    let entry = idle.withLock { $0.popLast() } ?? Entry(buffers: RenderBuffers(level: level))
    defer { idle.withLock { $0.append(entry) } }
    return try body(entry.buffers)
  }

  /// `@unchecked` because the compiler cannot see that one picture at a time uses an entry.
  private struct Entry: @unchecked Sendable {
    let buffers: RenderBuffers
  }
}
