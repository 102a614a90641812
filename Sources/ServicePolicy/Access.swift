internal import Base
public import CommonContract
internal import RPC
public import Storage
internal import Wire

extension EventType<TrailEntry> {
  /// Says that somebody read personal data, or was denied a call. The type is the same in every service.
  public static var access: EventType<TrailEntry> {
    EventType("access", encode: { try $0.encoded() }, decode: { try TrailEntry(decoding: $0) })
  }
}

extension TrailEntry {
  init(_ kind: TrailKind, by caller: Caller, through method: MethodDescriptor, to touched: AccessTarget? = nil) {
    self.init(
      kind: kind, actor: caller.actor, callerKind: caller.kind.word, deviceID: caller.device,
      method: "\(method.service)/\(method.name)", studyID: touched?.study.recordName ?? "",
      siteID: touched?.site.recordName ?? "", subjectID: touched?.subject ?? "")
  }
}

extension TrailEntry {
  /// The entry of an event in a service's trail: an access as it was written down, or what `change` makes of the
  /// service's own events; nil for events that only Storage uses, and for another study's.
  ///
  /// - Parameter studyID: nil for the trail of all studies.
  public init?(
    _ event: Event, of service: String, in studyID: String?, _ change: (Event) throws -> TrailEntry?
  ) throws {
    guard let entry = try event.access() ?? change(event) else { return nil }
    if let studyID, entry.studyID != studyID { return nil }
    self = entry
    (at, self.service, sequence) = (Timestamp(event.at), service, event.sequence)
  }
}

extension Event {
  /// The access that this event reports, with the event's time and number; nil for an event of another type.
  public func access() throws -> TrailEntry? {
    guard var entry = try decode(.access) else { return nil }
    (entry.at, entry.sequence) = (Timestamp(at), sequence)
    return entry
  }
}

extension Transaction {
  func note(_ entry: TrailEntry) throws {
    let stream = entry.subjectID.isEmpty ? "study:\(entry.studyID)" : "subject:\(entry.subjectID)"
    try append(.access, entry, to: stream)
  }
}

extension AccessTarget.Extent {
  /// The name of the study or site for an access event. Callers may send any text as a name, so a text that cannot be
  /// an identifier is left out.
  fileprivate var recordName: String {
    guard case .one(let name) = self, Subject(name) != nil else { return "" }
    return name
  }
}
