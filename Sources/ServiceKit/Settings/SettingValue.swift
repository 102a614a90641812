/// A type that a setting can have.
public protocol SettingValue: Sendable {
  init(setting text: String) throws(SettingValueError)

  /// The value as it is written in a file, and shown as a default.
  var settingText: String { get }

  /// The word for the value in the help.
  static var placeholder: String { get }

  /// A secret is never shown, and never given on a command line.
  static var isSecret: Bool { get }
}

extension SettingValue {
  public static var isSecret: Bool { false }
}

/// The reason why a text is no value of a setting's type, as the end of a sentence that begins with the setting's name.
public struct SettingValueError: Error {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

extension Int: SettingValue {
  public static var placeholder: String { "N" }

  public init(setting text: String) throws(SettingValueError) {
    guard let number = Int(text) else { throw SettingValueError("must be a whole number") }
    self = number
  }

  public var settingText: String { String(self) }
}

extension Double: SettingValue {
  public static var placeholder: String { "NUMBER" }

  public init(setting text: String) throws(SettingValueError) {
    guard let number = Double(text), number.isFinite else { throw SettingValueError("must be a number") }
    self = number
  }

  public var settingText: String { String(self) }
}

extension Bool: SettingValue {
  public static var placeholder: String { "yes|no" }

  public init(setting text: String) throws(SettingValueError) {
    switch text {
    case "yes", "true", "on", "1": self = true
    case "no", "false", "off", "0": self = false
    default: throw SettingValueError("must be yes or no")
    }
  }

  public var settingText: String { self ? "yes" : "no" }
}

extension String: SettingValue {
  public static var placeholder: String { "TEXT" }

  public init(setting text: String) throws(SettingValueError) {
    self = text
  }

  public var settingText: String { self }
}

/// A setting that may be left out.
extension Optional: SettingValue where Wrapped: SettingValue {
  public static var placeholder: String { Wrapped.placeholder }
  public static var isSecret: Bool { Wrapped.isSecret }

  public init(setting text: String) throws(SettingValueError) {
    self = .some(try Wrapped(setting: text))
  }

  public var settingText: String { self?.settingText ?? "" }
}

/// Several values, with commas between them.
extension Array: SettingValue where Element: SettingValue {
  public static var placeholder: String { "\(Element.placeholder),…" }

  public init(setting text: String) throws(SettingValueError) {
    self = []
    let parts = text.split(separator: ",")
    // Often an empty list restricts nothing, and `$A,$B` of two empty variables means another thing.
    if parts.isEmpty, !text.isEmpty { throw SettingValueError("must have a value beside its commas") }
    for part in parts {
      let word = part.drop { $0 == " " }
      append(
        try Element(
          setting: String(word.prefix(upTo: word.lastIndex { $0 != " " }.map(word.index(after:)) ?? word.endIndex))))
    }
  }

  public var settingText: String { map(\.settingText).joined(separator: ",") }
}

/// Settings whose value is one of several words: conform an enum of `String`s to `SettingValue`, and this implements
/// it.
extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  public static var placeholder: String { allCases.map(\.rawValue).joined(separator: "|") }

  public init(setting text: String) throws(SettingValueError) {
    guard let value = Self(rawValue: text) else {
      throw SettingValueError("must be one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self = value
  }

  public var settingText: String { rawValue }
}
