internal import Base
public import RPC
internal import Synchronization

/// Counts and times every call that a process answers.
public struct CallMetrics: ServerObserver {
  private let calls: Family<Counter>
  private let seconds: Family<Histogram>
  private let running: Gauge

  public init(_ metrics: Metrics) {
    calls = metrics.counters("assent_calls_total", "Calls that were answered.", labels: ["method", "code"])
    seconds = metrics.histograms("assent_call_seconds", "How long handlers took.", labels: ["method"])
    running = metrics.gauge("assent_calls_running", "Handlers that run now, those that wait included.")
  }

  public func observer(of method: MethodDescriptor) -> any MethodObserver {
    MethodMetrics(method.path, calls: calls, seconds: seconds, running: running)
  }
}

/// The metrics of one method, which are published from its first call on.
private final class MethodMetrics: MethodObserver {
  private let method: String
  private let calls: Family<Counter>
  private let seconds: Family<Histogram>
  private let running: Gauge
  /// The counter of successful calls and the histogram, which nearly every call needs, so they are looked up only once.
  private let usual = Mutex<(answered: Counter, seconds: Histogram)?>(nil)

  init(_ method: String, calls: Family<Counter>, seconds: Family<Histogram>, running: Gauge) {
    self.method = method
    self.calls = calls
    self.seconds = seconds
    self.running = running
  }

  func began() { running.add(1) }

  func ended(with code: StatusCode, after nanoseconds: Int64) {
    running.add(-1)
    if code == .ok {
      let (answered, seconds) = usualMembers
      answered.add()
      seconds.observe(Double(nanoseconds) / 1e9)
    } else {
      calls.with(method, "\(code)").add()
      seconds.with(method).observe(Double(nanoseconds) / 1e9)
    }
  }

  private var usualMembers: (Counter, Histogram) {
    usual.withLock { known in
      if let known { return known }
      let members = (calls.with(method, "\(StatusCode.ok)"), seconds.with(method))
      known = members
      return members
    }
  }
}
