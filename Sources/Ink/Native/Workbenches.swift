internal import Synchronization

/// What drawing a picture takes and the next one can use again: a compressor and room for rows. Getting that anew from
/// the system for each picture would take a fifth of its time.
final class Workbench {
  let deflater: Deflater
  var band = Band(width: 1, rows: 1)
  var rows: [UInt8] = []

  fileprivate init(level: Int32) {
    deflater = Deflater(level: level)
  }
}

/// Workbenches at rest, as many as pictures were drawn at one time.
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

  /// Unchecked because the compiler cannot see that a bench is in the hands of one picture at a time.
  private struct Resting: @unchecked Sendable {
    let bench: Workbench
  }
}
