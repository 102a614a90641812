internal import Base

/// The bounds and intervals of a gateway's router.
package struct RouterConfiguration: Sendable {
  package var pingInterval: Duration = .milliseconds(500)
  /// So many silent intervals and a peer counts as dead.
  package var missesUntilDead = 3
  /// For calls whose caller did not say how long it waits.
  package var defaultDeadline: Duration = .seconds(30)
  /// No call is kept longer, streams included.
  package var longestDeadline: Duration = .seconds(24 * 3600)
  /// All calls of the router, waiting and running.
  package var openCallLimit = 200_000
  package var openCallLimitPerSession = 20_000
  package var waitingLimitPerService = 100_000
  /// What all waiting calls may weigh together.
  package var waitingByteLimit = 512 << 20
  package var sessionLimit = 10_000
  package var attemptLimit = 5
  /// How long a router that has just begun keeps calls for services that nobody has announced yet, and any router those
  /// for a service whose last worker has left.
  package var graceAfterStart: Duration = .seconds(2)
  /// For how many services that nobody has announced calls may wait: their names are remembered for ever.
  package var unannouncedServiceLimit = 256
  package var retryBackoff: Duration = .milliseconds(50)
  package var longestRetryBackoff: Duration = .seconds(2)
  /// Retries of answers such as UNAVAILABLE draw on a bucket, so that they cannot double the load of a service in trouble.
  package var retryTokens = 10.0
  package var retryTokensPerSuccess = 0.1
  /// So many envelopes that their door or session does not allow, and the session ends.
  package var violationLimit = 16

  /// A worker that has calls and shows no progress for so long counts as wedged.
  package var wedgedAfter: Duration = .seconds(10)

  package init() {}
}
