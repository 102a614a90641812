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

  @Test(
    "a duration that is too long is as long as can be, and so is a time that lies behind the end",
    arguments: [1, -1] as [Int64])
  func tooLong(sign: Int64) {
    let end = sign > 0 ? Int64.max : .min
    for seconds: Int64 in [99_999_999 * 3600, .max] {
      let duration = Duration.seconds(sign * seconds)
      #expect(duration.wholeNanoseconds == end)
      #expect((MonotonicTime(nanoseconds: sign) + duration).nanoseconds == end)
    }
    #expect(Duration.seconds(sign * .max).wholeMilliseconds == end)
    #expect((Instant(millisecondsSince1970: sign) + .seconds(sign * .max)).millisecondsSince1970 == end)
    let ends = (Instant(millisecondsSince1970: end), Instant(millisecondsSince1970: -sign))
    #expect(ends.0 - ends.1 == .milliseconds(end))
    #expect((MonotonicTime(nanoseconds: end) + .seconds(sign)).nanoseconds == end)
  }
}
