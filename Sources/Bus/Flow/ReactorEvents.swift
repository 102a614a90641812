/// The events that woke a thread of a reactor, or that the thread found when it polled.
package struct ReactorEvents {
  /// The keys of sockets with events.
  package var keys: [UInt64]
  package var wasWoken: Bool
  package var timerFired: Bool
  package var watchdogFired: Bool

  package init(
    keys: [UInt64] = [], wasWoken: Bool = false, timerFired: Bool = false, watchdogFired: Bool = false
  ) {
    self.keys = keys
    self.wasWoken = wasWoken
    self.timerFired = timerFired
    self.watchdogFired = watchdogFired
  }
}
