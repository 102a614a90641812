package import Base
package import RPC

/// Attempts that a gateway could refuse by itself, but hands to the service all the same, so that the service, which
/// refuses them too, puts on record who tried what. The gateway hands over at most one attempt a minute of each caller
/// and method, and refuses the others.
package struct DeniedAttempts: Sendable {
  private struct Attempt: Hashable {
    let tenant: String
    let kind: CallerKind
    let caller: String
    let method: String
  }

  /// The latest attempt of each kind that was handed over, by tenant: each tenant has a limit of its own, so that its
  /// attempts do not keep those of another tenant out of the other's log.
  private var handedOver: [String: [Attempt: MonotonicTime]] = [:]
  private var count = 0
  private var sweptAt: MonotonicTime?

  static let interval = Duration.seconds(60)
  /// How many such attempts are kept for one tenant, and for all. Beyond that the gateway refuses further attempts
  /// without handing them over, because a key that may name callers could make up any number of them.
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

  /// Forgets an attempt that `handsOver` has admitted at `now` but that reaches no service after all: the next one is
  /// handed over instead.
  package mutating func takeBack(_ caller: CallerIdentity, _ method: MethodDescriptor, at now: MonotonicTime) {
    let attempt = Attempt(tenant: caller.tenant, kind: caller.kind, caller: caller.subject, method: method.path)
    guard handedOver[caller.tenant]?[attempt] == now else { return }
    handedOver[caller.tenant]?[attempt] = nil
    count -= 1
  }

  /// Forgets attempts older than `interval`; at most once a second, however many are refused meanwhile.
  private mutating func sweep(at now: MonotonicTime) {
    if let sweptAt, now - sweptAt < .seconds(1) { return }
    sweptAt = now
    handedOver = handedOver.mapValues { $0.filter { now - $0.value < Self.interval } }.filter { !$0.value.isEmpty }
    count = handedOver.values.reduce(0) { $0 + $1.count }
  }
}

extension CallerIdentity {
  /// Whether the method's service refuses callers without a fitting role itself, and records them. It has to if the
  /// method admits roles that are granted for places, which the gateway does not check, and if the caller belongs to a
  /// tenant, in whose log the attempt belongs.
  package func isDeniedByService(of method: MethodDescriptor) -> Bool {
    guard kind == .person || kind == .device, !tenant.isEmpty else { return false }
    return MethodPermission.Role.granted.contains(where: method.roles.contains)
  }
}
