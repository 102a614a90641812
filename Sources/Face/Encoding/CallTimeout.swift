internal import Base
package import RPC

/// The headers by which callers state how long they wait.
package enum CallTimeout {
  /// `Connect-Timeout-Ms`: up to ten digits.
  package static func connect(_ text: String) throws(Status) -> Duration {
    guard (1...10).contains(text.utf8.count), let milliseconds = number(text[...]) else {
      throw Status(
        .invalidArgument, rule: "bad_timeout", "connect-timeout-ms '\(text.shortened)' is not one to ten digits")
    }
    return .milliseconds(milliseconds)
  }

  /// `grpc-timeout`: up to eight digits and a unit.
  package static func grpc(_ text: String) throws(Status) -> Duration {
    if let unit = text.utf8.last, (2...9).contains(text.utf8.count), let count = number(text.dropLast()) {
      switch unit {
      case UInt8(ascii: "H"): return .seconds(count * 3600)
      case UInt8(ascii: "M"): return .seconds(count * 60)
      case UInt8(ascii: "S"): return .seconds(count)
      case UInt8(ascii: "m"): return .milliseconds(count)
      case UInt8(ascii: "u"): return .microseconds(count)
      case UInt8(ascii: "n"): return .nanoseconds(count)
      default: break
      }
    }
    throw Status(
      .invalidArgument,
      rule: "bad_timeout", "grpc-timeout '\(text.shortened)' is not one to eight digits and one of H M S m u n")
  }

  private static func number(_ digits: Substring) -> Int64? {
    guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int64(digits)
  }
}
