import RPC
import ServicePolicy

extension CallOptions {
  /// What a device's queue says of its call: the last withdrawal that its person has seen.
  static func queued(seen: Int64) throws -> CallOptions {
    var metadata = Metadata()
    try metadata.add(QueuedCall.seenWithdrawal, String(seen))
    return CallOptions(metadata: metadata)
  }
}
