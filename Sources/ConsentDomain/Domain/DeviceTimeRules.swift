package import ConsentContract
package import Refusals
internal import Wire

/// Which times of a device are accepted. They are the device's claim and determine no order, but they are printed and
/// exported.
package enum DeviceTimeRules {
  /// Further from UTC than any time zone, past or present.
  private static let furthestOffset: Int32 = 1080

  package static func check(_ time: DeviceTime?, _ field: String) throws(Refusal) {
    guard let time else { return }
    if let at = time.at, at.instant == nil || at.seconds < 0 {
      let message = "\(field).at is \(at.seconds) seconds since 1970; it must lie in the years 1970 to 9999"
      throw Refusal(.invalid, "time_out_of_bounds", field: "\(field).at", message)
    }
    guard (-furthestOffset...furthestOffset).contains(time.utcOffsetMinutes) else {
      let message =
        "\(field).utc_offset_minutes is \(time.utcOffsetMinutes); it must be -\(furthestOffset) to \(furthestOffset)"
      throw Refusal(.invalid, "offset_out_of_bounds", field: "\(field).utc_offset_minutes", message)
    }
  }
}
