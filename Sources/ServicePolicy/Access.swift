internal import Base
public import CommonContract
internal import RPC
public import Storage
internal import Wire

extension EventType<AccessEntry> {
  /// Somebody has read data of people, or has tried what they may not: the same event in every service.
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
  /// What the event says about an access; nil for other events. Time and number are the event's own.
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
  /// The name as it may stand in an event. Callers make names up, so only what could be an identifier is written down.
  fileprivate var recordName: String {
    guard case .one(let name) = self, Subject(name) != nil else { return "" }
    return name
  }
}
