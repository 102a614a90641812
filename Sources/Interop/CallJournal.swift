internal import Base

/// Records on disk which calls a handler has begun, so that a test can count how often each one ran, even if the
/// process was killed in between.
public struct CallJournal: Sendable {
  private let file: AppendOnlyFile

  public init(path: String) throws {
    file = try AppendOnlyFile(path)
  }

  func note(_ payload: [UInt8]) throws {
    try file.append(payload + [UInt8(ascii: "\n")])
  }
}
