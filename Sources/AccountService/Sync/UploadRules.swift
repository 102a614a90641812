package import AccountContract
package import Bus
internal import ConsentContract
internal import SignatureContract

/// A method that may be recorded without a connection, and how its items are judged when something has changed
/// meanwhile.
package struct UploadableMethod: Sendable {
  /// How an item of this method is compared with changes that its person had not seen.
  package enum Manner: Hashable, Sendable {
    /// It says yes to something: a withdrawal that happened meanwhile beats it.
    case agrees
    /// It says no: it is always carried out.
    case withdraws
    /// It changes a thing from what was seen of it; the thing's own version decides.
    case edits
  }

  package let descriptor: MethodDescriptor
  package let manner: Manner

  package var name: String { "\(descriptor.service)/\(descriptor.name)" }

  package static func named(_ name: String) -> UploadableMethod? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

  /// Everything else is for people with a connection. docs/sync.md has the same table, and a test compares the two.
  package static let table: [UploadableMethod] = [
    UploadableMethod(descriptor: SessionServiceMethods.submitOfflineWalk, manner: .agrees),
    UploadableMethod(descriptor: SessionServiceMethods.actOnSession, manner: .agrees),
    UploadableMethod(descriptor: SessionServiceMethods.signRecord, manner: .agrees),
    UploadableMethod(descriptor: SessionServiceMethods.abandonSession, manner: .edits),
    UploadableMethod(descriptor: RecordServiceMethods.withdrawConsent, manner: .withdraws),
    UploadableMethod(descriptor: RecordServiceMethods.updateSharing, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.createField, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.tapField, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.appendStrokes, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.undoStroke, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.clearField, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.saveField, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.cancelField, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.reEnterField, manner: .edits),
    UploadableMethod(descriptor: SignatureServiceMethods.saveTypedName, manner: .edits),
    UploadableMethod(descriptor: PeopleServiceMethods.updateProfile, manner: .edits),
  ]
}

/// What is known about an item before it is carried out.
package struct UploadFacts: Hashable, Sendable {
  /// The person's newest withdrawal, as a number in the order of changes; 0: none.
  package var withdrawal: Int64 = 0
  /// The newest change that the person had seen when the item was recorded.
  package var seen: Int64 = 0
  /// The first change of the session that the item belongs to; 0: it is not known, or belongs to none.
  package var sessionStart: Int64 = 0

  package init(withdrawal: Int64 = 0, seen: Int64 = 0, sessionStart: Int64 = 0) {
    self.withdrawal = withdrawal
    self.seen = seen
    self.sessionStart = sessionStart
  }
}

/// What becomes of an item, by what is known before its call and by the call's answer. docs/sync.md explains each row.
package enum UploadRules {
  /// nil when the item may be carried out.
  ///
  /// The server's order decides, and the device's clock grants nothing: a yes counts only if the person had seen the
  /// withdrawal, or had begun that session after it.
  package static func conflict(_ method: UploadableMethod, _ facts: UploadFacts) -> String? {
    guard method.manner == .agrees, facts.withdrawal > max(facts.seen, facts.sessionStart) else { return nil }
    return "withdrawn_meanwhile"
  }

  /// What a call's answer makes of its item.
  package static func state(after code: StatusCode) -> ItemState {
    switch code {
    case .ok: .done
    // Nothing is known to be wrong with the item: it is tried again, and what comes after it waits for it.
    case .unavailable, .unimplemented, .resourceExhausted, .deadlineExceeded, .cancelled: .waiting
    // Somebody else was faster.
    case .aborted: .conflict
    default: .failed
    }
  }
}
