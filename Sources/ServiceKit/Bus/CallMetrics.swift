internal import Base
public import Wire

/// Counts and times every call that a process answers.
public struct CallMetrics: ServerInterceptor {
  private let calls: Family<Counter>
  private let seconds: Family<Histogram>
  private let running: Gauge

  public init(_ metrics: Metrics) {
    calls = metrics.counters("assent_calls_total", "Calls that were answered.", labels: ["method", "code"])
    seconds = metrics.histograms("assent_call_seconds", "How long handlers took.", labels: ["method"])
    running = metrics.gauge("assent_calls_running", "Handlers that run now, those that wait included.")
  }

  public func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws {
    let method = context.method.path
    let started = context.clock.monotonic
    running.add(1)
    defer {
      running.add(-1)
      seconds.with(method).observe(context.clock.monotonic - started)
    }
    do {
      try await next(context)
      calls.with(method, "OK").add()
    } catch {
      calls.with(method, Self.code(of: error)).add()
      throw error
    }
  }

  /// The code that the caller will see.
  private static func code(of error: any Error) -> String {
    switch error {
    case let status as Status: "\(status.code)"
    case let error as any StatusConvertible: "\(error.status.code)"
    case is CancellationError: "\(StatusCode.cancelled)"
    default: "\(StatusCode.internal)"
    }
  }
}
