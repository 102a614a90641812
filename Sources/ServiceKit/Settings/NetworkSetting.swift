public import Base

/// A range of addresses as a setting: `10.1.0.0/16`, `fd00::/8`, or one address.
public struct NetworkSetting: SettingValue, Hashable {
  public let range: NetworkRange
  public let settingText: String

  public static var placeholder: String { "NETWORK" }

  public init(setting text: String) throws(SettingValueError) {
    guard let range = NetworkRange(text: text) else {
      throw SettingValueError("must be networks such as 10.1.0.0/16, with commas between them")
    }
    self.range = range
    settingText = text
  }
}
