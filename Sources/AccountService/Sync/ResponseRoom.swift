package import AccountContract
internal import Synchronization

/// How many bytes of services' responses still fit into one message. All outcomes of the message share this room; an
/// outcome whose response does not fit is sent without it. So a queue with large responses can be uploaded in little
/// memory, and the device gets what was done with the changes.
package final class ResponseRoom: Sendable {
  /// How many bytes all responses in one message may have.
  package static let most = 4 << 20

  private let left = Atomic<Int>(ResponseRoom.most)

  package init() {}

  /// The outcome as clients get it, without its response if that does not fit.
  package func fitted(_ outcome: ItemOutcome) -> ItemOutcome {
    var told = UploadRules.told(outcome)
    let bytes = told.response.count
    if left.subtract(bytes, ordering: .relaxed).newValue < 0 {
      left.add(bytes, ordering: .relaxed)
      if bytes > 0 { (told.response, told.responseOmitted) = ([], true) }
    }
    return told
  }
}
