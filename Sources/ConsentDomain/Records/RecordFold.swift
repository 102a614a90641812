internal import Base
package import ConsentContract
package import Refusals
internal import Wire

/// The head of a record is a fold over its history: each entry changes the head, and nothing else does.
extension ConsentRecord {
  /// Adds an entry to the history and applies it.
  package mutating func append(_ entry: RecordEntry) {
    var entry = entry
    entry.sequence = Int32(history.count) + 1
    history.append(entry)
    apply(entry)
  }

  /// Removes the entry for coming into force from those that are not stored yet, which are all after the first `known`
  /// ones: a condition for coming into force was not met.
  package mutating func neverCameIntoForce(since known: Int = 0) {
    let entries = history.prefix(known) + history.dropFirst(known).filter { $0.kind != .inForce }
    history = []
    for entry in entries { append(entry) }
    self = refolded()
  }

  /// The head computed from the whole history again.
  package func refolded() -> ConsentRecord {
    var fresh = self
    fresh.state = .unspecified
    fresh.withdrawnPurposes = []
    fresh.supersededPurposes = []
    fresh.declinedSignatures = []
    fresh.voidRequestedBy = ""
    fresh.sharing = .unspecified
    fresh.attention = ""
    fresh.inForceAt = nil
    for entry in history { fresh.apply(entry) }
    return fresh
  }

  private mutating func apply(_ entry: RecordEntry) {
    switch entry.kind {
    case .given, .paperRegistered:
      state = .awaitingSignatures
      sharing = entry.sharing
    case .declined: state = .declined
    case .inForce:
      state = .inForce
      inForceAt = entry.at
    case .withdrawn:
      for purpose in entry.purposes.isEmpty ? purposes : entry.purposes where !withdrawnPurposes.contains(purpose) {
        withdrawnPurposes.append(purpose)
      }
      if standingPurposes.isEmpty { state = .withdrawn }
    case .sharingChanged: sharing = entry.sharing
    case .superseded:
      for purpose in entry.purposes.isEmpty ? purposes : entry.purposes
      where !supersededPurposes.contains(purpose) && !withdrawnPurposes.contains(purpose) {
        supersededPurposes.append(purpose)
      }
      if standingPurposes.isEmpty { state = .superseded }
    case .expired: state = .expired
    case .reconsentDue: state = .reconsentDue
    case .needsAttention: (state, attention) = (.needsAttention, entry.attention)
    case .attentionConfirmed: state = .awaitingSignatures
    case .rejected: state = .rejected
    case .signingDeclined: declinedSignatures.append(entry.signatureID)
    case .voidRequested: voidRequestedBy = entry.actor
    case .voidRefused: voidRequestedBy = ""
    case .voided: (state, voidRequestedBy) = (.voided, "")
    case .reinstated:
      let purposes = entry.purposes.isEmpty ? purposes : entry.purposes
      withdrawnPurposes.removeAll(where: purposes.contains)
      supersededPurposes.removeAll(where: purposes.contains)
      if state == .withdrawn || state == .superseded { state = stateBeforeItsEnd }
    case .signed, .rendered, .nameCorrected, .unspecified, .unrecognized: break
    }
    if state != .needsAttention { attention = "" }
  }

  /// The last state of the history in which not all had been taken back or decided anew.
  private var stateBeforeItsEnd: RecordState {
    var folded = self
    folded.history = []
    folded = folded.refolded()
    var found = RecordState.awaitingSignatures
    for entry in history.dropLast() {
      folded.append(entry)
      if folded.state != .withdrawn, folded.state != .superseded { found = folded.state }
    }
    return found
  }

  /// The purposes about which nothing newer was decided.
  package var standingPurposes: [String] {
    purposes.filter { !withdrawnPurposes.contains($0) && !supersededPurposes.contains($0) }
  }

  /// The purposes about which it has a decision, yes or no.
  package var asked: [String] { purposes + declinedPurposes }

  func asks(for purpose: String) -> Bool { purposes.contains(purpose) || declinedPurposes.contains(purpose) }

  /// True for a consent that was given, has not ended, and needs nobody's attention.
  package var stands: Bool { state == .inForce || state == .awaitingSignatures }

  /// True while there is something that can be withdrawn.
  package var isWithdrawable: Bool { stands || state == .needsAttention }

  /// Changes the sharing choice of a consent that stands. The earlier choice stays in the history; the same one again
  /// changes nothing.
  package mutating func changeSharing(_ choice: SharingChoice, entry: RecordEntry) throws(Refusal) {
    guard choice == .wide || choice == .investigatorOnly else {
      let message = "sharing is \(choice.number); it must be wide or investigator only"
      throw Refusal(.invalid, "sharing_not_chosen", field: "sharing", message)
    }
    guard stands else {
      let message =
        "record '\(recordID)' is \(state.word); only a consent that is in force or waits for signatures has a sharing "
        + "choice to change"
      throw Refusal(.precondition, "not_in_force", field: "record_id", message)
    }
    guard sharing != .unspecified else {
      let message = "record '\(recordID)' has no sharing choice: its document offers none"
      throw Refusal(.precondition, "sharing_not_offered", field: "record_id", message)
    }
    if choice == sharing { return }
    var entry = entry
    entry.kind = .sharingChanged
    entry.sharing = choice
    append(entry)
  }
}
