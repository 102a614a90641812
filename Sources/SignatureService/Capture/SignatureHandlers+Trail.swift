internal import Base
internal import CommonContract
package import RPC
internal import ServicePolicy
package import SignatureContract
internal import Storage
internal import Wire

/// The part of a study's trail that is about fields and signatures.
extension SignatureHandlers {
  package func listSignatureTrail(
    _ request: ListSignatureTrailRequest, context: CallContext
  ) async throws -> ListSignatureTrailResponse {
    let page = try PageRequest(size: request.pageSize)
    let position = try EventPosition(token: request.pageToken)
    let touched = request.allStudies ? Touched.wholeTenant : Touched.everything(in: request.studyID)
    return try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      disclosure.noteLook(
        at: "events", of: touched, for: request.allStudies ? "trail of all studies" : "trail of a study")
      let events = try snapshot.verifiedEvents(after: position, limit: page.limit)
      return ListSignatureTrailResponse(
        entries: try events.compactMap { try SignatureTrailEntry($0, of: request.allStudies ? nil : request.studyID) },
        nextPageToken: (events.last.map { EventPosition(after: $0) } ?? position).token,
        readUntil: events.count < page.limit ? nil : events.last.map { Timestamp($0.at) })
    }
  }
}

extension SignatureTrailEntry {
  /// nil for an event of another study, if `studyID` is given, and for events that only Storage uses.
  fileprivate init?(_ event: Event, of studyID: String?) throws {
    if let access = try event.access() {
      self.init(
        kind: SignatureTrailKind(number: access.kind.number), actor: access.actor, callerKind: access.callerKind,
        deviceID: access.deviceID, method: access.method, capacity: access.capacity, studyID: access.studyID,
        siteID: access.siteID, subjectID: access.subjectID, item: access.item, purpose: access.purpose,
        count: access.count)
    } else if event.type.hasPrefix(FieldEvent.typePrefix) {
      let change = try FieldEvent(decoding: event.payload)
      let reference = change.reference ?? FieldReference()
      self.init(
        kind: .changed, actor: change.actor, deviceID: change.device, studyID: reference.studyID,
        siteID: reference.siteID, subjectID: reference.subjectID, item: "field/\(change.fieldID)", purpose: event.type)
    } else {
      return nil
    }
    if let studyID, self.studyID != studyID { return nil }
    (service, sequence, at) = ("signature", event.sequence, Timestamp(event.at))
    pageToken = EventPosition(after: event).token
  }
}
