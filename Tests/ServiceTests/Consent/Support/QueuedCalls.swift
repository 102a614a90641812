import RPC
import ServicePolicy

extension CallOptions {
  /// What a device's queue says of its call: the last withdrawal that its person has seen.
  ///
  /// - Parameter position: up to where AccountService knows the events; empty: it does not say.
  static func queued(seen: Int64, until position: String = "") throws -> CallOptions {
    var metadata = Metadata()
    try metadata.add(QueuedCall.seenWithdrawal, String(seen))
    if !position.isEmpty { try metadata.add(QueuedCall.knownPosition, position) }
    return CallOptions(metadata: metadata)
  }
}
