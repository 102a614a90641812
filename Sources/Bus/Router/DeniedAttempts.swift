package import Base
package import RPC

/// Attempts that a gateway could refuse by itself, and hands to the service all the same: the service refuses them too,
/// and puts on record who tried what. Of one caller and method that is one in a minute; the others end at the gateway.
package struct DeniedAttempts: Sendable {
  private struct Attempt: Hashable {
    let tenant: String
    let kind: CallerKind
    let caller: String
    let method: String
  }

  /// By tenant, so that nobody's attempts keep another tenant's from its log.
  private var handedOver: [String: [Attempt: MonotonicTime]] = [:]
  private var count = 0
  private var sweptAt: MonotonicTime?

  static let interval = Duration.seconds(60)
  /// Callers make up names only where their key permits it; beyond this number none of a tenant's, or of all tenants',
  /// attempts are handed over.
  static let limitOfTenant = 512
  static let limit = 4096

  package init() {}

  /// Whether this attempt is to be handed to the service.
  package mutating func handsOver(_ caller: CallerIdentity, _ method: MethodDescriptor, at now: MonotonicTime) -> Bool {
    guard caller.isDeniedByService(of: method) else { return false }
    let attempt = Attempt(
      tenant: caller.tenant, kind: caller.kind, caller: caller.subject, method: method.path)
    let earlier = handedOver[caller.tenant]?[attempt]
    if let earlier, now - earlier < Self.interval { return false }
    if handedOver[caller.tenant, default: [:]].count >= Self.limitOfTenant || count >= Self.limit { sweep(at: now) }
    guard handedOver[caller.tenant, default: [:]].count < Self.limitOfTenant, count < Self.limit else { return false }
    if handedOver[caller.tenant, default: [:]].updateValue(now, forKey: attempt) == nil { count += 1 }
    return true
  }

  /// The attempt that was handed over just now reaches no service: the next one is handed over instead.
  package mutating func takeBack(_ caller: CallerIdentity, _ method: MethodDescriptor, at now: MonotonicTime) {
    let attempt = Attempt(tenant: caller.tenant, kind: caller.kind, caller: caller.subject, method: method.path)
    guard handedOver[caller.tenant]?[attempt] == now else { return }
    handedOver[caller.tenant]?[attempt] = nil
    count -= 1
  }

  /// Forgets attempts whose time is over; not more often than once a second, however many are refused meanwhile.
  private mutating func sweep(at now: MonotonicTime) {
    if let sweptAt, now - sweptAt < .seconds(1) { return }
    sweptAt = now
    handedOver = handedOver.mapValues { $0.filter { now - $0.value < Self.interval } }.filter { !$0.value.isEmpty }
    count = handedOver.values.reduce(0) { $0 + $1.count }
  }
}

extension CallerIdentity {
  /// Whether the method's service decides about callers without a fitting role as well. It has to where a role counts
  /// at a place, since a role at another place passes the gateway; and an attempt belongs to a tenant's log.
  package func isDeniedByService(of method: MethodDescriptor) -> Bool {
    guard kind == .person || kind == .device, !tenant.isEmpty else { return false }
    return MethodPermission.Role.granted.contains(where: method.roles.contains)
  }
}
