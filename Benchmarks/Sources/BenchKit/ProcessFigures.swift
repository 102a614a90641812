public import Base

/// The resources that a running process has used, as counted by Linux.
public struct ProcessFigures: Sendable {
  public let residentBytes: Int
  public let cpuTime: Duration

  public init(process: Int32) throws(FileError) {
    try self.init(named: String(process))
  }

  /// Those of this process.
  public static func own() throws(FileError) -> ProcessFigures { try ProcessFigures(named: "self") }

  private init(named process: String) throws(FileError) {
    let status = String(decoding: try Files.read("/proc/\(process)/status"), as: UTF8.self)
    let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?.split(separator: " ")
    residentBytes = (resident.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) << 10
    // After the name, which ends with the last parenthesis, user and system time are the 12th and 13th field, in
    // hundredths.
    let stat = String(decoding: try Files.read("/proc/\(process)/stat"), as: UTF8.self)
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    let ticks = fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
    cpuTime = .milliseconds(10 * ticks)
  }
}
