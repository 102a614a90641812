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
    let touched = request.allStudies ? AccessTarget.wholeTenant : AccessTarget.everything(in: request.studyID)
    return try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      let events = try snapshot.verifiedEvents(after: position, limit: page.limit)
      let entries = try events.compactMap { event -> TrailEntry? in
        var entry = try TrailEntry(event, of: "signature", in: request.allStudies ? nil : request.studyID) { event in
          guard event.type.hasPrefix(FieldEvent.typePrefix) else { return nil }
          return TrailEntry(try FieldEvent(decoding: event.payload), event.type)
        }
        if request.changesOnly, entry?.kind != .changed { return nil }
        entry?.pageToken = EventPosition(after: event).token
        return entry
      }
      // Who follows the log of changes asks again and again, and must not add to it what it follows.
      if !entries.isEmpty {
        disclosure.noteLook(
          at: "events", of: touched, for: request.allStudies ? "trail of all studies" : "trail of a study")
      }
      return ListSignatureTrailResponse(
        entries: entries,
        nextPageToken: (events.last.map { EventPosition(after: $0) } ?? position).token,
        readUntil: events.count < page.limit ? nil : events.last.map { Timestamp($0.at) })
    }
  }
}

extension TrailEntry {
  fileprivate init(_ change: FieldEvent, _ type: String) {
    let reference = change.reference ?? FieldReference()
    // How a signature was given distinguishes the events of one that was saved.
    let isSaved = type == EventType<FieldEvent>.fieldSaved.name && change.kind != .unspecified
    let manner = isSaved ? " \(change.kind)" : ""
    self.init(
      kind: .changed, actor: change.actor, deviceID: change.device, studyID: reference.studyID,
      siteID: reference.siteID, subjectID: reference.subjectID, item: "field/\(change.fieldID)", purpose: type + manner)
  }
}
