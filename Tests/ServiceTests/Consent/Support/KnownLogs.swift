import AccountContract
import Base
import CommonContract
import ConsentService
import RPC
import ServicePolicy
import Storage
import Synchronization
import Wire

/// Logs of the other services that a test writes itself.
final class KnownLogs: FollowedLogs {
  private let logs = Mutex<[FollowedService: [FollowedEvent]]>([:])
  /// Counts restores, so that a token tells which log it is of.
  private let restores = Mutex(0)
  private let asked = Mutex(0)

  var questions: Int { asked.withLock { $0 } }

  func happened(_ kind: AccountEventKind, person: String = "", device: String = "", note: String = "", at: Instant) {
    add(.account) { sequence in
      .account(
        AccountEvent(
          sequence: sequence, at: Timestamp(at), kind: kind, actor: "admin", personID: person, deviceID: device,
          note: note))
    }
  }

  func happened(_ purpose: String, field: String, person: String, at: Instant) {
    add(.signature) { sequence in
      .signature(
        TrailEntry(
          at: Timestamp(at), service: "signature", sequence: sequence, kind: .changed, actor: "ada",
          studyID: World.study, subjectID: person, item: "field/\(field)", purpose: purpose))
    }
  }

  private func add(_ service: FollowedService, _ event: (Int64) -> FollowedEvent) {
    logs.withLock { logs in
      logs[service, default: []].append(event(Int64(logs[service, default: []].count + 1)))
    }
  }

  /// Restores a service's log to its first `count` events.
  func restore(_ service: FollowedService, to count: Int) {
    restores.withLock { $0 += 1 }
    logs.withLock { $0[service] = Array($0[service, default: []].prefix(count)) }
  }

  func changes(in service: FollowedService, after token: String, tenant: Tenant) async throws -> FollowedPage? {
    asked.withLock { $0 += 1 }
    let age = restores.withLock { $0 }
    let parts = token.split(separator: "/").compactMap { Int($0) }
    guard parts.isEmpty || parts[1] == age else {
      throw Status(.failedPrecondition, rule: EventPosition.unknown, "the log was restored")
    }
    let start = parts.first ?? 0
    let events = logs.withLock { $0[service, default: []].dropFirst(start).prefix(3) }
    return FollowedPage(Array(events), next: events.isEmpty ? token : "\(start + events.count)/\(age)")
  }
}
