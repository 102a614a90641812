/// A span of time is written with its unit: 250ms, 30s, 5m, 12h, 7d.
extension Duration: SettingValue {
  public static var placeholder: String { "TIME" }

  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  public init(setting text: String) throws(SettingValueError) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let suffix = text.dropFirst(digits.count)
    guard let count = Int64(digits), let unit = Self.units.first(where: { $0.suffix == suffix }) else {
      throw SettingValueError("must be a time such as 250ms, 30s, 5m, 12h or 7d")
    }
    let (milliseconds, isTooLong) = count.multipliedReportingOverflow(by: unit.milliseconds)
    guard !isTooLong else { throw SettingValueError("is longer than can be counted") }
    self = .milliseconds(milliseconds)
  }

  public var settingText: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    let unit = Self.units.first { milliseconds != 0 && milliseconds.isMultiple(of: $0.milliseconds) }
    return unit.map { "\(milliseconds / $0.milliseconds)\($0.suffix)" } ?? "0s"
  }
}

/// An amount of memory or storage, written with its unit: 512KiB, 64MiB, 2GiB, or bytes alone.
public struct ByteCount: SettingValue, Hashable, Comparable {
  public let bytes: Int

  public init(_ bytes: Int) {
    self.bytes = bytes
  }

  public static func mebibytes(_ count: Int) -> ByteCount { ByteCount(count << 20) }
  public static func gibibytes(_ count: Int) -> ByteCount { ByteCount(count << 30) }

  public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

  public static var placeholder: String { "SIZE" }

  private static let units: [(suffix: String, bytes: Int)] = [
    ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1),
  ]

  public init(setting text: String) throws(SettingValueError) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let suffix = text.dropFirst(digits.count)
    guard let count = Int(digits), let unit = Self.units.first(where: { $0.suffix == suffix }) else {
      throw SettingValueError("must be a size such as 512KiB, 64MiB or 2GiB")
    }
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit.bytes)
    guard !isTooLarge else { throw SettingValueError("is more than can be counted") }
    self.bytes = bytes
  }

  public var settingText: String {
    let unit = Self.units.first { bytes != 0 && bytes.isMultiple(of: $0.bytes) }
    return unit.map { "\(bytes / $0.bytes)\($0.suffix)" } ?? "0"
  }
}

/// Where to listen or connect: a host and a port, such as 127.0.0.1:9090 or [::1]:9090.
public struct Endpoint: SettingValue, Hashable {
  public let host: String
  public let port: UInt16

  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  public static var placeholder: String { "HOST:PORT" }

  public init(setting text: String) throws(SettingValueError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw SettingValueError("must be a host and a port, such as 127.0.0.1:9090")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { throw SettingValueError("must name a host before the port, such as 127.0.0.1") }
    self.init(host: String(host), port: port)
  }

  public var settingText: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
