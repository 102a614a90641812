package import AccountContract
internal import Synchronization

/// The room that one message has for what services answered. All outcomes of the message share it, and those that find
/// none any more come without their answer: a queue whose answers are large goes up all the same, in little memory, and
/// what was done comes down with the changes.
package final class ResponseRoom: Sendable {
  /// What the answers in one message may hold together.
  package static let most = 4 << 20

  private let left = Atomic<Int>(ResponseRoom.most)

  package init() {}

  /// An outcome as people are told of it.
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
