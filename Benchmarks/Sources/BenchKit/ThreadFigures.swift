public import Base

/// How often the threads of a running process have been put on a processor, and how long they ran there, as counted by
/// Linux.
public struct ThreadFigures: Sendable {
  /// What one thread has done since it began.
  struct Thread: Equatable, Sendable {
    /// How often it has left the processor: to wait, or because another thread was to run.
    var switches: Int
    var cpuTime: Duration

    /// - Parameters:
    ///   - status: `/proc/PROCESS/task/THREAD/status`.
    ///   - schedule: `/proc/PROCESS/task/THREAD/schedstat`, which begins with the nanoseconds on a processor.
    init(status: String, schedule: String) {
      switches = status.split(separator: "\n").reduce(0) { sum, line in
        let words = line.split { $0 == "\t" || $0 == " " }
        guard words.count == 2, words[0].hasSuffix("voluntary_ctxt_switches:") else { return sum }
        return sum + (Int(words[1]) ?? 0)
      }
      cpuTime = .nanoseconds(schedule.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
    }
  }

  private let threads: [String: Thread]

  public init(process: Int32) throws(FileError) {
    let folder = "/proc/\(process)/task"
    var threads: [String: Thread] = [:]
    for name in try Files.names(in: folder) {
      // A thread may end between the list and the look at it.
      guard let status = try? Files.read("\(folder)/\(name)/status"),
        let schedule = try? Files.read("\(folder)/\(name)/schedstat")
      else { continue }
      threads[name] = Thread(
        status: String(decoding: status, as: UTF8.self), schedule: String(decoding: schedule, as: UTF8.self))
    }
    self.init(threads)
  }

  init(_ threads: [String: Thread]) { self.threads = threads }

  /// What the process has done since an earlier look at it. Threads that have ended in between are not counted.
  public func since(_ earlier: ThreadFigures) -> (switches: Int, cpuTime: Duration) {
    var (switches, cpuTime) = (0, Duration.zero)
    for (name, thread) in threads {
      let before = earlier.threads[name]
      switches += thread.switches - (before?.switches ?? 0)
      cpuTime += thread.cpuTime - (before?.cpuTime ?? .zero)
    }
    return (switches, cpuTime)
  }
}
