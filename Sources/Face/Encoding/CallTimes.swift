internal import Bus
package import RPC

/// How long calls over HTTP and gRPC may take, from the head of the request on.
package struct CallTimes: Sendable {
  /// A call with one request and one answer whose caller states no time.
  package var single = Duration.seconds(30)
  /// A call with a stream whose caller states no time: how many a caller may have is bounded, not for how long.
  package var stream = RouterConfiguration().longestDeadline
  /// Any call, whatever its caller states: the router ends it then.
  package var longest = RouterConfiguration().longestDeadline

  package init() {}

  /// - Parameter stated: the time that the caller states.
  package func time(of kind: MethodDescriptor.Kind, stated: Duration? = nil) -> Duration {
    min(stated ?? (kind == .unary ? single : stream), longest)
  }
}
