internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// What a person knew when they decided: up to which place in the log. A no that was recorded after it overtakes a yes,
/// however late that yes arrives.
struct SeenDecisions {
  /// The first event that the person could not know of.
  let before: Int64

  /// Of a call that was made with a connection: everything until now. Of one that waited in a queue: what its person
  /// had seen then, or what the session knew when its device last acted with a connection, if that is later.
  init(
    by context: CallContext, in session: StoredSession, _ caller: Caller, _ transaction: Transaction
  ) throws {
    guard let seen = try QueuedCalls.seen(of: session.subjectID, context, caller, transaction) else {
      before = try transaction.lastEvent() + 1
      return
    }
    before = max(seen + 1, session.state.seenBefore)
  }

  /// Of a walk without a connection that its device hands in itself.
  init(walkedFrom session: StoredSession, _ context: CallContext, _ caller: Caller, _ transaction: Transaction) throws {
    let seen = try QueuedCalls.seen(of: session.subjectID, context, caller, transaction)
    before = max(seen.map { $0 + 1 } ?? 0, session.state.seenBefore)
  }

  /// Notes on the decisions that were just made what the person knew.
  func note(on state: inout SessionState, _ changes: inout [FlowChange]) {
    for index in state.documents.indices where state.documents[index].seenBefore == 0 {
      state.documents[index].seenBefore = before
    }
    for index in state.forms.indices where state.forms[index].seenBefore == 0 {
      state.forms[index].seenBefore = before
    }
    for index in changes.indices {
      switch changes[index] {
      case .documentDecided(var result) where result.seenBefore == 0:
        result.seenBefore = before
        changes[index] = .documentDecided(result)
      case .formDecided(var result) where result.seenBefore == 0:
        result.seenBefore = before
        changes[index] = .formDecided(result)
      default: break
      }
    }
    state.seenBefore = max(state.seenBefore, before)
  }
}
