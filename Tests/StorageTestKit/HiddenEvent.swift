internal import Base
public import Storage

/// How somebody with the database hides that an event told of a row, so that an older event of the row looks like its
/// newest.
public enum HiddenEvent: String, CaseIterable, Sendable, CustomStringConvertible {
  case changes, stream, deleted
  /// All hashes after it are computed again, which takes no key. The codes stay as they are: they do.
  case changesRecomputed = "changes, recomputed"
  case streamRecomputed = "stream, recomputed"

  public var description: String { rawValue }

  public var isRecomputed: Bool { self == .changesRecomputed || self == .streamRecomputed }

  /// - Parameters:
  ///   - index: of the event among `events`.
  ///   - events: all of the tenant's.
  public func sql(_ engine: TestEngine, _ index: Int, of events: [Event], _ tenant: Tenant) -> String {
    let one = "WHERE tenant = '\(tenant)' AND sequence = \(events[index].sequence);"
    let change =
      switch self {
      case .changes: "UPDATE storage_events SET changes = NULL \(one)"
      case .stream: "UPDATE storage_events SET stream = 'elsewhere' \(one)"
      case .deleted: "DELETE FROM storage_events \(one)"
      case .changesRecomputed:
        "UPDATE storage_events SET changes = NULL \(one)"
          + recomputed(engine, events, from: index, tenant) { $0.forged(hidesRows: true, after: $1, of: tenant) }
      case .streamRecomputed:
        "UPDATE storage_events SET stream = 'elsewhere' \(one)"
          + recomputed(engine, events, from: index, tenant) { $0.forged(stream: "elsewhere", after: $1, of: tenant) }
      }
    return engine.unguarding("storage_events") + change
  }

  private func recomputed(
    _ engine: TestEngine, _ events: [Event], from index: Int, _ tenant: Tenant, _ forge: (Event, Digest) -> Event
  ) -> String {
    var chain = index == 0 ? Event.beginning : events[index - 1].chain
    var sql = ""
    for (place, event) in events.enumerated().dropFirst(index) {
      chain = (place == index ? forge(event, chain) : event.forged(after: chain, of: tenant)).chain
      sql +=
        "UPDATE storage_events SET chain = \(engine.literal(chain.bytes)) "
        + "WHERE tenant = '\(tenant)' AND sequence = \(event.sequence);"
    }
    return sql + "UPDATE storage_event_heads SET chain = \(engine.literal(chain.bytes)) WHERE tenant = '\(tenant)';"
  }
}

extension Event {
  fileprivate func forged(
    stream: String? = nil, hidesRows: Bool = false, after previous: Digest, of tenant: Tenant
  ) -> Event {
    forged(payload: payload, stream: stream, hidesRows: hidesRows, after: previous, of: tenant)
  }
}
