package import ConsentContract

/// Which times of a device are taken in. They are the device's word and order nothing, but they are printed and exported.
package enum DeviceTimeRules {
  /// More than any zone that there is or was.
  private static let furthestOffset: Int32 = 1080

  package static func check(_ time: DeviceTime?, _ field: String) throws(Refusal) {
    guard let time else { return }
    guard (0...TimeText.last).contains(time.atMs) else {
      let message = "\(field).at_ms is \(time.atMs); it must be 0 to \(TimeText.last), the end of the year 9999"
      throw Refusal(.invalid, "time_out_of_bounds", field: "\(field).at_ms", message)
    }
    guard (-furthestOffset...furthestOffset).contains(time.utcOffsetMinutes) else {
      let message =
        "\(field).utc_offset_minutes is \(time.utcOffsetMinutes); it must be -\(furthestOffset) to \(furthestOffset)"
      throw Refusal(.invalid, "offset_out_of_bounds", field: "\(field).utc_offset_minutes", message)
    }
  }
}
