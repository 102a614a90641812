package import ConsentContract

/// The one rule by which decisions about a purpose become an answer: the newest counts, a no at once, a yes when its
/// record is complete. What is newest follows from places in the log, never from clocks.
package enum Decisions {
  /// The yes about a purpose that no later no has overruled, oldest first.
  ///
  /// - Parameter decisions: those of one person in one study, in the order in which they were recorded.
  package static func standing(_ purpose: String, in decisions: [ConsentDecision]) -> [ConsentDecision] {
    decisions.filter { $0.yes && $0.purpose == purpose && no(overruling: $0, in: decisions) == nil }
      .sorted { $1.isNewer(than: $0) }
  }

  /// The newest no that overrules a yes; nil if none does.
  package static func no(overruling yes: ConsentDecision, in decisions: [ConsentDecision]) -> ConsentDecision? {
    decisions.last { $0.overrules(yes) }
  }

  /// A person's decisions from the lists of all their identifiers, in the order in which they were recorded.
  package static func merged(_ lists: [[ConsentDecision]]) -> [ConsentDecision] {
    lists.count == 1
      ? lists[0] : lists.flatMap(\.self).sorted { ($0.filedBefore, $0.number) < ($1.filedBefore, $1.number) }
  }

  /// The decisions without those of records that were voided since, and without the entries that say so.
  package static func counting(_ decisions: [ConsentDecision]) -> [ConsentDecision] {
    let voided = decisions.filter { $0.voids != 0 }
    return decisions.filter { decision in
      decision.voids == 0
        && !voided.contains { $0.recordID == decision.recordID && $0.voids == decision.filedBefore }
    }
  }
}

extension ConsentDecision {
  /// Whether this yes was given after another one, even if it came on record before it.
  fileprivate func isNewer(than other: ConsentDecision) -> Bool {
    (seenBefore, filedBefore, number) > (other.seenBefore, other.filedBefore, other.number)
  }

  /// Whether this is a no that takes a yes back: one that was recorded after what the person knew when saying yes. In
  /// one session, the order in which it decided counts.
  package func overrules(_ yes: ConsentDecision) -> Bool {
    guard !self.yes, purpose == yes.purpose else { return false }
    if sessionID == yes.sessionID, !sessionID.isEmpty { return number > yes.number }
    return filedBefore >= yes.seenBefore
  }
}

extension Decisions {
  /// The purposes of a record about which something newer was decided, and that its history does not show yet.
  package struct Ended: Equatable, Sendable {
    /// Those that a later no has taken back.
    package var withdrawn: [String] = []
    /// Those that a later consent permits in its place, by that consent's record.
    package var superseded: [String: [String]] = [:]

    package var isEmpty: Bool { withdrawn.isEmpty && superseded.isEmpty }
  }

  /// - Parameter records: the person's records in the study.
  package static func ended(
    on record: ConsentRecord, _ decisions: [ConsentDecision], among records: [ConsentRecord]
  ) -> Ended {
    var ended = Ended()
    guard record.stands || [.expired, .reconsentDue, .needsAttention].contains(record.state) else { return ended }
    let inForce = Set(records.lazy.filter { $0.inForceAt != nil }.map(\.recordID))
    for purpose in record.standingPurposes {
      guard
        let place = decisions.lastIndex(where: { $0.yes && $0.purpose == purpose && $0.recordID == record.recordID })
      else { continue }
      let own = decisions[place]
      if record.state == .needsAttention {
        // What was said no to before it came on record is what staff looks at.
        if decisions[(place + 1)...].contains(where: { $0.overrules(own) }) { ended.withdrawn.append(purpose) }
      } else if no(overruling: own, in: decisions) != nil {
        ended.withdrawn.append(purpose)
      } else if let newest = standing(purpose, in: decisions).last(where: { inForce.contains($0.recordID) }),
        newest.recordID != own.recordID, newest.isNewer(than: own)
      {
        ended.superseded[newest.recordID, default: []].append(purpose)
      }
    }
    return ended
  }

  /// The purposes of a record that ended and would not end by the decisions that count now.
  package static func reinstated(
    on record: ConsentRecord, _ decisions: [ConsentDecision], among records: [ConsentRecord]
  ) -> [String] {
    var restored = record
    (restored.state, restored.withdrawnPurposes, restored.supersededPurposes) = (.inForce, [], [])
    let ended = ended(on: restored, decisions, among: records)
    let over = ended.withdrawn + ended.superseded.values.flatMap(\.self)
    return (record.withdrawnPurposes + record.supersededPurposes).filter { purpose in
      !over.contains(purpose)
        && decisions.contains { $0.yes && $0.purpose == purpose && $0.recordID == record.recordID }
    }
  }

  /// Records in the order of what their person said yes to, the newest first.
  package static func newestFirst(_ records: [ConsentRecord], _ decisions: [ConsentDecision]) -> [ConsentRecord] {
    var newest: [String: ConsentDecision] = [:]
    for decision in decisions where decision.yes { newest[decision.recordID] = decision }
    return records.sorted { one, other in
      guard let later = newest[one.recordID], let earlier = newest[other.recordID] else {
        return newest[one.recordID] != nil && newest[other.recordID] == nil
      }
      return later.isNewer(than: earlier)
    }
  }

  /// The purposes to which a person said no between a yes that is about to be recorded and now.
  package static func overtaken(
    _ purposes: [String], seenBefore: Int64, in sessionID: String, _ decisions: [ConsentDecision]
  ) -> [String] {
    purposes.filter { purpose in
      let yes = ConsentDecision(
        number: .max, purpose: purpose, yes: true, sessionID: sessionID, seenBefore: seenBefore)
      return no(overruling: yes, in: decisions) != nil
    }
  }
}
