package import AccountContract
internal import ConsentContract
package import RPC
internal import ServicePolicy
internal import SignatureContract
internal import Wire

/// A method that may be recorded without a connection, and how its items are judged when something has changed
/// meanwhile.
package struct UploadableMethod: Sendable {
  /// How an item of this method is compared with changes that its person had not seen.
  package enum Manner: Hashable, Sendable {
    /// The item agrees to something: for ConsentService it needs attention if a withdrawal came in between.
    case agrees
    /// The item withdraws something: it is always carried out.
    case withdraws
    /// The item changes a thing from a version that the person has seen: the thing's service refuses it if that is not
    /// the present one.
    case edits
  }

  package let descriptor: MethodDescriptor
  package let manner: Manner
  let request: JSONForm
  let response: JSONForm

  private init<Request: Message, Response: Message>(
    _ descriptor: MethodDescriptor, _: Request.Type, _: Response.Type, manner: Manner
  ) {
    (self.descriptor, self.manner) = (descriptor, manner)
    (request, response) = (JSONForm(of: Request.self), JSONForm(of: Response.self))
  }

  package var name: String { "\(descriptor.service)/\(descriptor.name)" }

  /// Whether the item's call states which withdrawals and denials its person had seen, by which ConsentService decides,
  /// and by which it knows that the call comes from a queue.
  package var statesSeen: Bool { manner == .agrees || Self.stating.contains(name) }

  private static let stating = [
    "assent.consent.v1.RecordService/UpdateSharing", "assent.consent.v1.SessionService/SignRecord",
  ]

  package static func named(_ name: String) -> UploadableMethod? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

  /// All other methods need a connection. docs/sync.md has the same table, and a test compares the two.
  package static let table: [UploadableMethod] = [
    UploadableMethod(
      SessionServiceMethods.startSession, StartSessionRequest.self, StartSessionResponse.self, manner: .agrees),
    UploadableMethod(
      SessionServiceMethods.recordConsent, RecordConsentRequest.self, RecordConsentResponse.self, manner: .agrees),
    UploadableMethod(
      SessionServiceMethods.submitOfflineWalk, SubmitOfflineWalkRequest.self, SubmitOfflineWalkResponse.self,
      manner: .agrees),
    UploadableMethod(
      SessionServiceMethods.actOnSession, ActOnSessionRequest.self, ActOnSessionResponse.self, manner: .agrees),
    UploadableMethod(SessionServiceMethods.signRecord, SignRecordRequest.self, SignRecordResponse.self, manner: .edits),
    UploadableMethod(
      SessionServiceMethods.abandonSession, AbandonSessionRequest.self, AbandonSessionResponse.self, manner: .edits),
    UploadableMethod(
      RecordServiceMethods.withdrawConsent, WithdrawConsentRequest.self, WithdrawConsentResponse.self,
      manner: .withdraws),
    UploadableMethod(
      RecordServiceMethods.updateSharing, UpdateSharingRequest.self, UpdateSharingResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.createField, CreateFieldRequest.self, CreateFieldResponse.self, manner: .edits),
    UploadableMethod(SignatureServiceMethods.tapField, TapFieldRequest.self, TapFieldResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.appendStrokes, AppendStrokesRequest.self, AppendStrokesResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.undoStroke, UndoStrokeRequest.self, UndoStrokeResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.resizeField, ResizeFieldRequest.self, ResizeFieldResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.clearField, ClearFieldRequest.self, ClearFieldResponse.self, manner: .edits),
    UploadableMethod(SignatureServiceMethods.saveField, SaveFieldRequest.self, SaveFieldResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.cancelField, CancelFieldRequest.self, CancelFieldResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.reEnterField, ReEnterFieldRequest.self, ReEnterFieldResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.saveTypedName, SaveTypedNameRequest.self, SaveTypedNameResponse.self, manner: .edits),
    UploadableMethod(
      SignatureServiceMethods.saveUploadedImage, SaveUploadedImageRequest.self, SaveUploadedImageResponse.self,
      manner: .edits),
    UploadableMethod(
      PeopleServiceMethods.updateProfile, UpdateProfileRequest.self, UpdateProfileResponse.self, manner: .edits),
  ]
}

/// What becomes of an item, by the status of its call. docs/sync.md explains each row.
package enum UploadRules {
  /// The state of an item after its call.
  package static func state(after status: Status) -> ItemState {
    switch status.code {
    case .ok: .done
    // Nothing is known to be wrong with the item: it is tried again, and what comes after it waits for it.
    case .unavailable, .unimplemented, .resourceExhausted, .deadlineExceeded, .cancelled: .waiting
    // Other changes interfered until the deadline: nobody has to decide anything.
    case .aborted: status.rule == "changed_meanwhile" ? .waiting : .conflict
    default: .failed
    }
  }

  /// The rule of an item for which the bus had no room.
  private static let notStarted = "not_started"

  /// By which rule an item's call was answered.
  package static func rule(of status: Status) -> String {
    status.code == .resourceExhausted && status.isNotStarted ? notStarted : status.rule
  }

  /// Whether an item that waits was surely not begun by any service. The bus ends calls with RESOURCE_EXHAUSTED after
  /// their handler too, when an answer is too large for example: only where it says that no handler saw the call, or
  /// where a service says that its threads were busy, nothing was begun.
  package static func isUntried(_ outcome: ItemOutcome) -> Bool {
    if outcome.code == Int32(StatusCode.resourceExhausted.rawValue) {
      return [notStarted, "caller_waits", "all_wait"].contains(outcome.rule)
    }
    let untried: [StatusCode] = [.ok, .unimplemented, .aborted]
    return untried.contains { Int32($0.rawValue) == outcome.code }
  }

  /// Whether a retry can carry out an item that was kept. An item that was made for an earlier state of a thing does
  /// not fit its present state, and what has ended begins no more: then the person can only do it again and discard the
  /// item.
  package static func isRetryable(_ outcome: ItemOutcome) -> Bool {
    guard UploadableMethod.named(outcome.method) != nil else { return false }
    switch outcome.state {
    case .failed:
      let isOfRequest = [StatusCode.invalidArgument, .alreadyExists, .outOfRange].contains {
        Int32($0.rawValue) == outcome.code
      }
      return !isOfRequest && !lasting.contains(outcome.rule)
    case .conflict:
      let passing = ["sharing_changed_meanwhile", "outcome_unknown"]
      return passing.contains(outcome.rule) || outcome.method == profileMethod
    default: return false
    }
  }

  /// Rules by which nothing that may still happen lets the item through: its thing has ended, or was agreed on in
  /// another way than the item states.
  private static let lasting: Set<String> = [
    "below_pass_mark", "field_used", "not_offered", "other_device", "preparation_expired", "session_ended",
    "session_expired", "sharing_not_offered", "signatures_overdue", "signing_declined", "subject_erased",
    "typed_other_name",
    "version_stopped",
  ]

  /// The outcome as clients get it, with `retryable`.
  package static func told(_ outcome: ItemOutcome) -> ItemOutcome {
    var told = outcome
    told.retryable = isRetryable(outcome)
    return told
  }

  /// The outcome as the item's person gets it: with the item itself as long as it is kept.
  package static func told(_ kept: KeptItem) -> ItemOutcome? {
    guard var told = kept.outcome.map(told) else { return nil }
    if OwnItems.isOpen(told) { told.item = kept.item }
    return told
  }

  /// Whether an item was refused because its person lacked a right.
  static func isOfRights(_ outcome: ItemOutcome) -> Bool {
    [StatusCode.permissionDenied, .unauthenticated].contains { Int32($0.rawValue) == outcome.code }
  }

  /// Whether an item waits for somebody, and not for a service or for an item before it.
  package static func needsSomebody(_ outcome: ItemOutcome) -> Bool {
    switch outcome.state {
    case .conflict: true
    case .waiting:
      outcome.rule.hasPrefix("grant_") || ["person_locked", "not_on_device", "waits_for_person"].contains(outcome.rule)
    default: false
    }
  }

  /// The rule of an item that waits for another one, which it names.
  package static let waitsForItem = "waits_for_item"

  /// Whether an item that waits holds up none of its person's later ones: it says itself what it builds on, and so do
  /// they if they build on it.
  package static func waitsAlone(_ outcome: ItemOutcome) -> Bool {
    outcome.state == .waiting && outcome.rule == waitsForItem
  }

  /// A profile is replaced as a whole, so a retry replaces whatever there is.
  package static let profileMethod = "assent.account.v1.PeopleService/UpdateProfile"
}
