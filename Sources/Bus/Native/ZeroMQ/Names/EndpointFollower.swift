internal import Base
internal import Synchronization

/// Follows the addresses of a host name: each address gets its own endpoint, as replicas come and go.
///
/// libzmq would use only the first address, and block its I/O thread during the look-up.
package final class EndpointFollower: Sendable {
  package typealias Lookup = @Sendable (_ host: String) -> [String]?

  private let wakeup: Wakeup
  private let isStopping = Atomic(false)

  /// Looks up the hosts of `endpoints` at once and then every `interval`, on a thread of its own, which ends if none is
  /// a name. A failed look-up changes nothing: connections to known addresses go on.
  package init(
    _ endpoints: [BusEndpoint], every interval: Duration, lookup: Lookup? = nil,
    report: @escaping @Sendable (EndpointChange) -> Void
  ) throws(ZeroMQError) {
    wakeup = try Wakeup()
    let lookup = lookup ?? { HostLookup.addresses(of: $0) }
    NativeThread.start(name: "bus-names", stackBytes: 1 << 20) { [self] in
      var tracker = EndpointTracker(endpoints)
      repeat {
        let change = tracker.update(lookup)
        if !change.isEmpty, !isStopping.load(ordering: .acquiring) { report(change) }
        guard tracker.hasNames else { return }
        _ = wakeup.wait(interval)
      } while !isStopping.load(ordering: .acquiring)
    }
  }

  package func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeup.signal()
  }
}
