internal import Base
package import Refusals
package import Wire

/// Which durations are accepted.
package enum DurationRules {
  package static func check(
    _ duration: ProtobufDuration, within bounds: ClosedRange<Duration>, _ field: String
  ) throws(Refusal) {
    if let duration = duration.duration, bounds.contains(duration) { return }
    let (least, most) = (bounds.lowerBound.components.seconds, bounds.upperBound.components.seconds)
    let message = "\(field) is \(duration.seconds) s; it must be \(least) to \(most) s"
    throw Refusal(.invalid, "out_of_bounds", field: field, message)
  }
}
