internal import Base
public import CommonContract
internal import RPC
public import Storage
internal import Wire

extension EventType<AccessEntry> {
  /// Says that somebody read personal data, or was denied a call. The type is the same in every service.
  public static var access: EventType<AccessEntry> {
    EventType("access", encode: { try $0.encoded() }, decode: { try AccessEntry(decoding: $0) })
  }
}

extension AccessEntry {
  init(_ kind: AccessKind, by caller: Caller, through method: MethodDescriptor, to touched: Touched? = nil) {
    self.init(
      kind: kind, actor: caller.actor, callerKind: caller.kind.word, deviceID: caller.device,
      method: "\(method.service)/\(method.name)", studyID: touched?.study.recordName ?? "",
      siteID: touched?.site.recordName ?? "", subjectID: touched?.subject ?? "")
  }
}

extension Event {
  /// The access that this event reports, with the event's time and number; nil for an event of another type.
  public func access() throws -> AccessEntry? {
    guard var entry = try decode(.access) else { return nil }
    (entry.at, entry.sequence) = (Timestamp(at), sequence)
    return entry
  }
}

extension Transaction {
  func note(_ entry: AccessEntry) throws {
    let stream = entry.subjectID.isEmpty ? "study:\(entry.studyID)" : "subject:\(entry.subjectID)"
    try append(.access, entry, to: stream)
  }
}

extension Touched.Extent {
  /// The name of the study or site for an access event. Callers may send any text as a name, so a text that cannot be
  /// an identifier is left out.
  fileprivate var recordName: String {
    guard case .one(let name) = self, Subject(name) != nil else { return "" }
    return name
  }
}
