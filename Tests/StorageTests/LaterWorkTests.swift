import Storage
import Synchronization
import Testing

@Suite struct LaterWorkTests {
  private struct Failure: Error {}

  @Test("work that is requested while it runs begins again only once it has ended")
  func requestedMeanwhile() async {
    let later = LaterWork(waiting: { _ in })
    let (steps, step) = AsyncStream.makeStream(of: String.self)
    let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
    let begun = Mutex(0)
    let work: @Sendable () async throws -> Void = {
      let number = begun.withLock { begun in
        begun += 1
        return begun
      }
      step.yield("\(number) begins")
      if number == 1 { for await _ in mayEnd { break } }
      step.yield("\(number) ends")
    }
    var seen = steps.makeAsyncIterator()
    later.begin(work)
    #expect(await seen.next() == "1 begins")
    for _ in 0..<3 { later.begin(work) }
    end.yield(())
    for expected in ["1 ends", "2 begins", "2 ends"] { #expect(await seen.next() == expected) }
  }

  @Test("failed work is tried again after growing pauses of at most a minute, until it succeeds")
  func pauses() async {
    let (pauses, pause) = AsyncStream.makeStream(of: Duration.self)
    let later = LaterWork(waiting: { pause.yield($0) })
    let tries = Mutex(0)
    later.begin {
      let isLast = tries.withLock { tries in
        tries += 1
        return tries == 8
      }
      guard isLast else { throw Failure() }
      pause.finish()
    }
    var made: [Duration] = []
    for await each in pauses { made.append(each) }
    #expect(made == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
  }
}
