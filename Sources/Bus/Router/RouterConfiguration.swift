internal import Base

/// The bounds and intervals of a gateway's router.
package struct RouterConfiguration: Sendable {
  package var timings = LinkTimings.ofGateway
  /// For calls without a deadline.
  package var defaultDeadline: Duration = .seconds(30)
  /// No call lasts longer, streams included.
  package var longestDeadline: Duration = .seconds(24 * 3600)
  /// For all calls of the router, waiting and running.
  package var openCallLimit = 200_000
  package var openCallLimitPerSession = 20_000
  package var waitingLimitPerService = 100_000
  /// For how long a call that may not run twice waits for a free slot while others, who may wait in a worker's own
  /// queue, go before it; at most half of its time.
  package var slotPatience: Duration = .seconds(1)
  /// For all waiting calls together, in bytes.
  package var waitingByteLimit = 256 << 20
  package var sessionLimit = 10_000
  package var attemptLimit = 5
  /// How long a router that has just started keeps calls for services that have not announced themselves, and how long
  /// any router keeps those for a service whose last worker has left.
  package var graceAfterStart: Duration = .seconds(2)
  /// For how many unannounced services calls may wait at a time, since callers can invent names.
  package var unannouncedServiceLimit = 256
  package var retryBackoff: Duration = .milliseconds(50)
  package var longestRetryBackoff: Duration = .seconds(2)
  /// Retries of answers such as UNAVAILABLE use tokens of a bucket, so that they cannot double the load of a service in
  /// trouble.
  package var retryTokens = 10.0
  package var retryTokensPerSuccess = 0.1
  /// How many services one key may have announced, including those that have no worker any more; and all keys together.
  package var serviceLimitPerKey = 256
  package var serviceLimit = 16_384
  /// How many methods of one service the workers that serve it may have announced together.
  package var methodLimitPerService = 1024
  /// How long a service without workers is remembered, and counted in metrics.
  package var serviceMemory: Duration = .seconds(3600)
  /// After how many offences, each soon after another, a peer's session ends.
  package var offenceLimit = 16
  package var offenceMemory: Duration = .seconds(60)

  /// A worker that has calls and makes no progress for this long counts as stuck.
  package var wedgedAfter: Duration = .seconds(10)
  /// Which calls are traced; nil: none.
  package var tracing: Tracing?

  package init() {}
}
