internal import Base
internal import Glibc

/// What this process uses, as the kernel counts it.
struct ProcessUsage {
  let residentBytes: Int
  let cpuSeconds: Double

  static var current: ProcessUsage {
    // The second number is the count of resident pages.
    let pages = (try? Files.read("/proc/self/statm")).map { String(decoding: $0, as: UTF8.self).split(separator: " ") }
    let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return ProcessUsage(
      residentBytes: resident * Int(getpagesize()), cpuSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }
}
