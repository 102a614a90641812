import Base
import BenchKit
import Bus
import RPC
import Synchronization

/// Callers on the bus, as the clients of the other doors are (Benchmarks/Peers/calls/client.h).
final class BusLoad: Sendable {
  private let method: MethodDescriptor
  private let walks: [[[UInt8]]]
  private let repeats: Bool
  private let least: Int
  private let end: MonotonicTime
  private let state = Mutex((next: 0, isOver: false))

  private init(_ load: CallLoad, _ requests: [[Request]], least: Int) {
    self.least = least
    method = load.method.descriptor
    walks = requests.map { $0.map(\.binary) }
    repeats = load.method.repeats
    end = Clock.system.monotonic + load.time
  }

  /// The rate, and the microseconds of each call.
  ///
  /// - Parameter least: how long an answer is at least.
  static func run(
    _ load: CallLoad, _ requests: [[Request]], least: Int, on system: CallsSystem
  ) async throws -> (perSecond: Double, microseconds: [Double]) {
    let callers = BusLoad(load, requests, least: least)
    let start = Clock.system.monotonic
    let times = try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<load.inFlight {
        group.addTask(executorPreference: Callers.thread) { try await callers.call(system.devices) }
      }
      return try await group.reduce(into: [Double]()) { $0 += $1 }
    }
    guard !times.isEmpty else { throw CallsFailure("no call was answered") }
    let seconds = Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e9
    return (Double(times.count) / seconds, times)
  }

  private func call(_ devices: [DeviceCalls]) async throws -> [Double] {
    var times: [Double] = []
    while let walk = nextWalk() {
      for request in walks[walk] where mayBegin {
        let start = Clock.system.monotonic
        let answer = try await devices[walk % devices.count].send(method, request)
        guard answer.count >= least else {
          throw CallsFailure("\(method.name): another answer of \(answer.count) bytes")
        }
        times.append(Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e3)
      }
    }
    return times
  }

  /// nil when the time is over. When there is no further walk, nobody goes on, since fewer calls would be in flight.
  private func nextWalk() -> Int? {
    guard mayBegin else { return nil }
    return state.withLock { state in
      if state.next == walks.count, repeats { state.next = 0 }
      guard state.next < walks.count else {
        state.isOver = true
        return nil
      }
      defer { state.next += 1 }
      return state.next
    }
  }

  private var mayBegin: Bool { Clock.system.monotonic < end && !state.withLock(\.isOver) }
}
