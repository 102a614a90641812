import Base
import Testing

@Suite struct DurationTests {
  @Test(
    "whole nanoseconds are rounded towards zero, however long the duration is",
    arguments: [0, 1, 999_999_999, 1_953_125, 30_000_000_000, 4_722_366_482_869, 4_722_366_482_870, 1 << 60] as [Int64])
  func nanoseconds(count: Int64) {
    let duration = Duration.nanoseconds(count)
    let bit = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(duration.wholeNanoseconds == count)
    #expect((duration + bit).wholeNanoseconds == count)
    #expect((duration + .nanoseconds(1) - bit).wholeNanoseconds == count)
    #expect((.zero - duration).wholeNanoseconds == -count)
    #expect((.zero - duration - bit).wholeNanoseconds == -count)
  }
}
