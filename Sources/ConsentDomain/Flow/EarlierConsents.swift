internal import Base
package import ConsentContract
internal import Wire

/// What a decline does to the consents that a person gave before.
struct DeclineOutlook: Equatable {
  /// When the newest of them was given.
  let agreedAt: Instant
  /// Whether they stay as they are; otherwise they end.
  let stays: Bool
}

extension FlowMoves {
  /// What declining in a step does to consents that the person gave before; nil if they gave none to what it asks for.
  func outlook(ofDeclining step: ScriptStep) -> DeclineOutlook? {
    let earlier = facts.earlierConsents
    let concerned: [EarlierConsent]
    var stays = false
    if case .form(let form, _)? = step.pages.first {
      concerned = earlier.filter { $0.purposes.contains(form.purpose(in: step.id)) }
    } else if step.isReview, let document = script.documents[step.documentID] {
      let same = earlier.filter { $0.documentID == document.id }
      stays = document.settings.keepsEarlierConsent && same.contains { $0.documentVersion < document.version }
      let asked = Set(document.settings.purposeCodes(documentID: document.id))
      concerned = stays ? same : earlier.filter { $0.documentID == document.id || !asked.isDisjoint(with: $0.purposes) }
    } else {
      return nil
    }
    return concerned.map(\.agreedAt.orEpoch).max().map { DeclineOutlook(agreedAt: $0, stays: stays) }
  }
}

extension DocumentSettings {
  /// Whether a consent to an earlier version stays as it is when somebody declines this one.
  package var keepsEarlierConsent: Bool {
    switch declineEffect {
    case .keeps: true
    case .ends: false
    case .unspecified, .unrecognized: reconsent != .byDate
    }
  }
}

extension EarlierConsent {
  /// - Parameter record: a consent that stands.
  package init(_ record: ConsentRecord) {
    let isForm = record.kind == .form
    self.init(
      purposes: record.standingPurposes, documentID: isForm ? "" : record.documentID,
      documentVersion: isForm ? 0 : record.documentVersion, agreedAt: record.decidedAt)
  }
}
