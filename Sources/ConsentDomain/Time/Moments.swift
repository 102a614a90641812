package import Base
internal import ConsentContract
package import Wire

extension Timestamp? {
  /// The point in time; the beginning of 1970 if none is stated.
  package var orEpoch: Instant { self?.clamped ?? Instant(millisecondsSince1970: 0) }
}

extension Timestamp {
  package static func + (time: Timestamp, duration: Duration) -> Timestamp { Timestamp(time.clamped + duration) }
}

extension SessionState {
  /// The day on which the session started, in UTC, for which ages are computed.
  package var startDay: CalendarDay { CalendarDay(of: startedAt.orEpoch) }
}
