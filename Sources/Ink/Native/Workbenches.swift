internal import Synchronization

/// The working memory for drawing a picture, to be used again for the next one: a compressor and buffers for rows.
/// Allocating it for each picture would take a fifth of the picture's time.
final class Workbench {
  let deflater: Deflater
  var band = Band(width: 1, rows: 1)
  var rows: [UInt8] = []

  fileprivate init(level: Int32) {
    deflater = Deflater(level: level)
  }
}

/// Unused workbenches, as many as pictures were ever drawn at the same time.
final class Workbenches: Sendable {
  private let level: Int32
  private let idle = Mutex<[Resting]>([])

  init(level: Int32) {
    self.level = level
  }

  func withOne<Result, Failure: Error>(_ body: (Workbench) throws(Failure) -> Result) throws(Failure) -> Result {
    let resting = idle.withLock { $0.popLast() } ?? Resting(bench: Workbench(level: level))
    defer { idle.withLock { $0.append(resting) } }
    return try body(resting.bench)
  }

  /// Unchecked because the compiler cannot see that one picture at a time uses a bench.
  private struct Resting: @unchecked Sendable {
    let bench: Workbench
  }
}
