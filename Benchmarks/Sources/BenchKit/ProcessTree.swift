public import Base

/// A process, what it has started, and what these have started.
public enum ProcessTree {
  /// The processes that a process has started itself.
  public static func children(of process: Int32) throws(FileError) -> [Int32] {
    try Files.names(in: "/proc/\(process)/task").flatMap { thread in
      // Each thread has the children that it started itself; one that has ended has none.
      let children = (try? Files.read("/proc/\(process)/task/\(thread)/children")) ?? []
      return String(decoding: children, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// All of them, the process itself first.
  public static func all(of process: Int32) throws(FileError) -> [Int32] {
    var all = [process]
    for child in try children(of: process) { all += try self.all(of: child) }
    return all
  }
}

/// What a process and all that it has started have done so far, by thread: to the nanosecond, where a process's own
/// time is counted in hundredths of a second.
public struct TreeFigures: Sendable {
  private let processes: [Int32: ThreadFigures]

  public init(of process: Int32) throws(FileError) {
    var processes: [Int32: ThreadFigures] = [:]
    for process in try ProcessTree.all(of: process) { processes[process] = try ThreadFigures(process: process) }
    self.processes = processes
  }

  /// The processor time that they have used since an earlier look at them. Threads that have ended in between are not
  /// counted, nor is what a process did before it was seen.
  public func cpuTime(since earlier: TreeFigures) -> Duration {
    processes.reduce(.zero) { sum, process in
      sum + (earlier.processes[process.key].map { process.value.since($0).cpuTime } ?? .zero)
    }
  }
}
