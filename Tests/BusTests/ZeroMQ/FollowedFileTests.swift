import Base
import Bus
import Testing

@Suite struct FollowedFileTests {
  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  @Test("a version that could not be read is tried again every second, and the reason is news once")
  func retries() throws {
    let folder = try TemporaryFolder()
    try Files.write([1], to: folder.file("keys"))
    let first = FileStatus(of: folder.file("keys"))
    var file = FollowedFile(first)
    let unchanged = file.isDue(first, at: time(0))
    try Files.write([2, 3], to: folder.file("keys"))
    let second = FileStatus(of: folder.file("keys"))
    let changed = file.isDue(second, at: time(100))
    #expect(!unchanged && changed)
    let news = file.noteFailure("no descriptor is free", at: time(100))
    let due = [200, 1099, 1100].map { file.isDue(second, at: time($0)) }
    #expect(news && due == [false, false, true])
    let again = file.noteFailure("no descriptor is free", at: time(1100))
    let other = file.noteFailure("the disk failed", at: time(2100))
    #expect(!again && other)
    let last = file.isDue(second, at: time(3100))
    file.noteRead()
    let afterReading = file.isDue(second, at: time(60_000))
    #expect(last && !afterReading)
  }

  @Test("a reason that a file's next version has too is news a second later, and not at once")
  func sameReason() throws {
    let folder = try TemporaryFolder()
    var file = FollowedFile(nil)
    var news: [Bool] = []
    for milliseconds: Int64 in [0, 10, 900, 1000, 1100] {
      try Files.write([UInt8](repeating: 1, count: Int(milliseconds) + 1), to: folder.file("keys"))
      let isDue = file.isDue(FileStatus(of: folder.file("keys")), at: time(milliseconds))
      #expect(isDue)
      news.append(file.noteFailure("line 1 is wrong", at: time(milliseconds)))
    }
    #expect(news == [true, false, false, true, false])
  }

  @Test("a file that goes after it could not be read is a new version")
  func goes() throws {
    let folder = try TemporaryFolder()
    try Files.write([1], to: folder.file("keys"))
    var file = FollowedFile(nil)
    let came = file.isDue(FileStatus(of: folder.file("keys")), at: time(0))
    _ = file.noteFailure("it cannot be read", at: time(0))
    let went = file.isDue(nil, at: time(1))
    #expect(came && went)
  }
}
