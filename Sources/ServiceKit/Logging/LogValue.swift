internal import Base

/// A field's value in a log: typed, so that a number stays one in JSON.
public enum LogValue: Sendable, Hashable {
  case text(String)
  case integer(Int64)
  case number(Double)
  case flag(Bool)
  case redacted
}

/// A type whose values can be logged.
public protocol LogConvertible {
  var logValue: LogValue { get }
}

extension LogValue: LogConvertible {
  public var logValue: LogValue { self }
}

extension String: LogConvertible {
  public var logValue: LogValue { .text(self) }
}

extension Bool: LogConvertible {
  public var logValue: LogValue { .flag(self) }
}

extension Double: LogConvertible {
  public var logValue: LogValue { .number(self) }
}

extension FixedWidthInteger where Self: LogConvertible {
  public var logValue: LogValue { .integer(Int64(clamping: self)) }
}

extension Int: LogConvertible {}
extension Int32: LogConvertible {}
extension Int64: LogConvertible {}
extension UInt16: LogConvertible {}
extension UInt32: LogConvertible {}
extension UInt64: LogConvertible {}

/// A duration is logged in milliseconds: name the field accordingly, such as `elapsed_ms`.
extension Duration: LogConvertible {
  public var logValue: LogValue { .number(Double(wholeNanoseconds) / 1e6) }
}

extension Endpoint: LogConvertible {
  public var logValue: LogValue { .text(settingText) }
}

extension Secret: LogConvertible {
  public var logValue: LogValue { .redacted }
}

extension Optional: LogConvertible where Wrapped: LogConvertible {
  public var logValue: LogValue { self?.logValue ?? .text("") }
}
