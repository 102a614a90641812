package import Base

/// Attempts that a gateway could refuse by itself, and hands to the service all the same: the service refuses them too,
/// and puts on record who tried what. Of one caller and method that is one in a minute; the others end at the gateway.
package struct DeniedAttempts: Sendable {
  private struct Attempt: Hashable {
    let tenant: String
    let kind: CallerKind
    let caller: String
    let method: String
  }

  private var handedOver: [Attempt: MonotonicTime] = [:]

  static let interval = Duration.seconds(60)
  /// Callers make up names only where their key permits it; beyond this number nobody's attempts are handed over.
  static let limit = 4096

  package init() {}

  /// Whether this attempt is to be handed to the service.
  package mutating func handsOver(_ caller: CallerIdentity, _ method: MethodDescriptor, at now: MonotonicTime) -> Bool {
    guard caller.isDeniedByService(of: method) else { return false }
    let attempt = Attempt(
      tenant: caller.tenant, kind: caller.kind, caller: caller.subject, method: method.path)
    if let earlier = handedOver[attempt], now - earlier < Self.interval { return false }
    if handedOver.count >= Self.limit { handedOver = handedOver.filter { now - $0.value < Self.interval } }
    guard handedOver.count < Self.limit else { return false }
    handedOver[attempt] = now
    return true
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
