/// A key or password: it can be used, but not shown by accident.
///
/// It comes from a file (`--name-file`) or from the environment, because every user of a machine can read its command
/// lines.
public struct Secret: SettingValue, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: String

  public init(_ text: String) {
    self.text = text
  }

  /// The secret itself, named so that its uses can be found.
  public func reveal() -> String { text }

  public static var placeholder: String { "FILE" }
  public static var isSecret: Bool { true }

  public init(setting text: String) throws(SettingValueError) {
    guard !text.isEmpty else { throw SettingValueError("is empty") }
    self.text = text
  }

  public var settingText: String { description }
  public var description: String { "[secret]" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
