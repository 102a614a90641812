import Base
import Testing

@testable import HTTPFace

@Suite struct ConnectionProgressTests {
  private func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("a body that waited for the bus is not ended for that, and has no more time than any other")
  func pause() {
    var progress = ConnectionProgress(at: time(0))
    progress.enter(.body, at: time(10))
    progress.pause(at: time(20))
    #expect(!progress.exceeds(.seconds(60), at: time(90)))
    progress.goOn(at: time(90))
    #expect(!progress.exceeds(.seconds(60), at: time(140)) && progress.exceeds(.seconds(60), at: time(141)))
  }

  @Test("what came before a phase does not count for it")
  func phases() {
    var progress = ConnectionProgress(at: time(0))
    progress.enter(.head, at: time(70))
    #expect(!progress.exceeds(.seconds(10), at: time(80)) && progress.exceeds(.seconds(10), at: time(81)))
    progress.pause(at: time(90))
    progress.enter(.idle, at: time(100))
    progress.goOn(at: time(110))
    #expect(!progress.exceeds(.seconds(75), at: time(185)) && progress.exceeds(.seconds(75), at: time(186)))
  }
}
